// Counting calls and image tokens against the limits of one question.
#include "fineprint/core/budget.h"

#include "fineprint/core/format.h"

namespace fineprint {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point deadline_after(Clock::time_point start, double seconds) {
  const std::chrono::duration<double> left = Clock::time_point::max() - start;
  if (!(seconds < left.count())) return Clock::time_point::max();
  return start + std::chrono::ceil<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Budget::Budget(const BudgetLimits& limits)
    : limits_(limits),
      start_(Clock::now()),
      deadline_(deadline_after(start_, limits.max_seconds)) {}

const OptionTable<BudgetLimits>& budget_options() {
  static const OptionTable<BudgetLimits> table =
      OptionTable<BudgetLimits>()
          .add(
              "max-calls", &BudgetLimits::max_calls,
              {.help = "the most calls of the generator for a question; at any of these limits the "
                       "best answer so far is given",
               .value = "N"})
          .add("max-image-tokens", &BudgetLimits::max_image_tokens,
               {.help = "the most tokens of images for a question, over all calls; unset: no limit",
                .value = "N",
                .unset = true})
          .add("max-pages", &BudgetLimits::max_pages,
               {.help = "the most pages shown to the generator for a question, each as often as it "
                        "is shown; unset: no limit",
                .value = "N",
                .unset = true})
          .add("max-seconds", &BudgetLimits::max_seconds,
               {.help = "a question is ended this long after it was asked, also in the middle of a "
                        "reply; unset: no limit",
                .value = "SECONDS",
                .bounds = {.above = 0},
                .unset = true});
  return table;
}

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
  if (Clock::now() >= deadline_) return out_of_time();
  return std::nullopt;
}

void Budget::spend_call(long image_tokens, int pages) {
  ++calls_;
  image_tokens_ += image_tokens;
  pages_ += pages;
}

double Budget::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string Budget::out_of_time() const {
  return format("the limit of {} seconds a question is reached (--max-seconds)",
                limits_.max_seconds);
}

}  // namespace fineprint
