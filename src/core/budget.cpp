// Counts calls, image tokens, pages and seconds against the limits of one question.
#include "fineprint/core/budget.h"

#include "fineprint/core/format.h"

namespace fineprint {
namespace {

using Clock = std::chrono::steady_clock;

// Adding an infinite or very long time to a time_point would overflow, so such limits become
// "never".
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

// configs/default.toml repeats these help texts, and a test compares them.
const OptionTable<BudgetLimits>& budget_options() {
  static const OptionTable<BudgetLimits> table =
      OptionTable<BudgetLimits>()
          .add("max-calls", &BudgetLimits::max_calls,
               {.help = "maximum number of generator calls per question; if any of these limits is "
                        "reached, the best answer so far is returned",
                .value = "N"})
          .add("max-image-tokens", &BudgetLimits::max_image_tokens,
               {.help =
                    "maximum number of image tokens per question, over all calls; unset: no limit",
                .value = "N",
                .unset = true})
          .add("max-pages", &BudgetLimits::max_pages,
               {.help = "maximum number of pages shown to the generator per question, counting "
                        "repeats; unset: no limit",
                .value = "N",
                .unset = true})
          .add("max-seconds", &BudgetLimits::max_seconds,
               {.help = "time limit per question; it also ends a reply that is being written; "
                        "unset: no limit",
                .value = "SECONDS",
                .bounds = {.above = 0},
                .unset = true});
  return table;
}

std::optional<std::string> Budget::refuses_call(long image_tokens, int pages, int calls) const {
  // Subtracts on the limit's side: adding to the count could overflow if the limit is a type's
  // maximum.
  if (calls > limits_.max_calls - calls_) {
    return format("the limit of {} model calls per question is reached (--max-calls)",
                  limits_.max_calls);
  }
  if (image_tokens > limits_.max_image_tokens - image_tokens_) {
    return format("{} more image tokens would exceed the limit of {} (--max-image-tokens)",
                  image_tokens, limits_.max_image_tokens);
  }
  if (pages > limits_.max_pages - pages_) {
    return format("{} more pages would exceed the limit of {} pages per question (--max-pages)",
                  pages, limits_.max_pages);
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
  return format("the limit of {} seconds per question is reached (--max-seconds)",
                limits_.max_seconds);
}

}  // namespace fineprint
