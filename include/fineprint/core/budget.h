// Limits on what one question may spend, so that no pipeline runs forever.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include "fineprint/core/option.h"

namespace fineprint {

// The limits of one question. The maximum of a type means "no limit".
struct BudgetLimits {
  int max_calls = 64;  // requests to generators, repeated ones included
  long max_image_tokens = std::numeric_limits<long>::max();  // over all calls together
  // Shown to models; a page shown twice counts twice.
  int max_pages = std::numeric_limits<int>::max();
  // From the moment the Budget is made.
  double max_seconds = std::numeric_limits<double>::infinity();
};

// The options --max-calls, --max-image-tokens, --max-pages and --max-seconds.
const OptionTable<BudgetLimits>& budget_options();

// Counts what one question spends and compares it with the limits. Not thread-safe: each question
// has its own. The clock starts in the constructor.
class Budget {
 public:
  // Starts the clock. The defaults allow 64 calls and nothing else is limited.
  explicit Budget(const BudgetLimits& limits = {});

  // Returns the reason why `calls` more calls, which show `pages` pages with `image_tokens` image
  // tokens in total, would exceed a limit; nullopt if they fit. For example: "the limit of 64 model
  // calls per question is reached (--max-calls)". Does not spend anything.
  std::optional<std::string> refuses_call(long image_tokens = 0, int pages = 0,
                                          int calls = 1) const;
  // Records one call. Does not check the limits: ask `refuses_call` first.
  void spend_call(long image_tokens = 0, int pages = 0);

  // Returns the seconds since the question began.
  double seconds() const;
  // Returns the moment at which max_seconds have passed; time_point::max() if there is no limit.
  std::chrono::steady_clock::time_point deadline() const { return deadline_; }
  // Returns the reason to report for a question that ran out of time.
  std::string out_of_time() const;
  const BudgetLimits& limits() const { return limits_; }

 private:
  BudgetLimits limits_;
  std::chrono::steady_clock::time_point start_, deadline_;
  int calls_ = 0;
  long image_tokens_ = 0;
  int pages_ = 0;
};

}  // namespace fineprint
