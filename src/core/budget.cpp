// Counting calls and image tokens against the limits of one question.
#include "fineprint/core/budget.h"

#include "fineprint/core/format.h"

namespace fineprint {

std::optional<std::string> Budget::refuses_call(long image_tokens, int pages, int calls) const {
  if (calls > limits_.max_calls - calls_) {
    return format("the limit of {} model calls a question is reached (--max-calls)",
                  limits_.max_calls);
  }
  if (image_tokens > limits_.max_image_tokens - image_tokens_) {
    return format("{} more image tokens would pass the limit of {} (--max-image-tokens)",
                  image_tokens, limits_.max_image_tokens);
  }
  if (pages > limits_.max_pages - pages_) {
    return format("{} more pages would pass the limit of {} shown a question (--max-pages)", pages,
                  limits_.max_pages);
  }
  if (seconds() >= limits_.max_seconds) {
    return format("the limit of {} seconds a question is reached (--max-seconds)",
                  limits_.max_seconds);
  }
  return std::nullopt;
}

void Budget::spend_call(long image_tokens, int pages) {
  ++calls_;
  image_tokens_ += image_tokens;
  pages_ += pages;
}

double Budget::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace fineprint
