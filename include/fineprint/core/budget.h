// Limits on what one question may spend, so that no loop is endless.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include "fineprint/core/option.h"

namespace fineprint {

struct BudgetLimits {
  int max_calls = 64;
  long max_image_tokens = std::numeric_limits<long>::max();
  int max_pages = std::numeric_limits<int>::max();  // shown to models; one shown again counts again
  double max_seconds = std::numeric_limits<double>::infinity();
};

const OptionTable<BudgetLimits>& budget_options();

// Counts what one question spends. Not shared between threads.
class Budget {
 public:
  explicit Budget(const BudgetLimits& limits = {});

  // Which limit would be passed by `calls` more calls that show `pages` with `image_tokens`
  // together; nullopt when they fit.
  std::optional<std::string> refuses_call(long image_tokens = 0, int pages = 0,
                                          int calls = 1) const;
  void spend_call(long image_tokens = 0, int pages = 0);

  double seconds() const;
  // When max_seconds are over; time_point::max() when they never are.
  std::chrono::steady_clock::time_point deadline() const { return deadline_; }
  // What is said of a question that ran into it.
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
