// The best k numbers of those seen so far.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace fineprint::score {

class KBest {
 public:
  explicit KBest(std::size_t k) : k_(k) {}

  // Not NaN.
  void add(double number) {
    if (k_ == 0 || (full() && number <= numbers_.top())) return;
    if (full()) numbers_.pop();
    numbers_.push(number);
  }
  // What is below this is not among the best k; minus infinity until there are k.
  double least() const {
    return k_ > 0 && full() ? numbers_.top() : -std::numeric_limits<double>::infinity();
  }

 private:
  bool full() const { return numbers_.size() >= k_; }

  std::size_t k_;
  std::priority_queue<double, std::vector<double>, std::greater<>> numbers_;  // the lowest on top
};

}  // namespace fineprint::score
