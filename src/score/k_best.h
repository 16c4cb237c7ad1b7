// The k best numbers seen so far.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace fineprint::score {

// A bounded priority queue: adding costs one comparison if the number is too low.
class KBest {
 public:
  explicit KBest(std::size_t k) : k_(k) {}

  // `number` must not be NaN, which has no order.
  void add(double number) {
    if (k_ == 0 || (full() && number <= numbers_.top())) return;
    if (full()) numbers_.pop();
    numbers_.push(number);
  }
  // Returns the lowest of the k best, or minus infinity until there are k numbers. A number below
  // it cannot be among the best.
  double least() const {
    return k_ > 0 && full() ? numbers_.top() : -std::numeric_limits<double>::infinity();
  }

 private:
  bool full() const { return numbers_.size() >= k_; }

  std::size_t k_;
  std::priority_queue<double, std::vector<double>, std::greater<>> numbers_;  // the lowest on top
};

}  // namespace fineprint::score
