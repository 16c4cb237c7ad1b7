// Estimates how long the rest of a run takes.
#include "ingest/run_estimate.h"

#include <algorithm>
#include <cmath>

namespace fineprint::ingest {
namespace {

// Seconds of one core per unit of each phase, as measured (see tests/benchmarks/README.md). 0: it
// depends on the model.
constexpr std::array<double, 6> kSecondsAUnit = {0.0045, 0.32, 0.010, 0, 0, 0};
// A shorter time says little about the speed.
constexpr double kLeastSeconds = 1;

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

void RunEstimate::expect(Phase phase, long units) {
  const std::lock_guard lock(mutex_);
  of(phase).expected = units;
  of(phase).done = 0;
  of(phase).begin = of(phase).last = Clock::now();
}

void RunEstimate::saw_document(long pages, long waiting, long chunks) {
  const std::lock_guard lock(mutex_);
  pages_seen_ += static_cast<double>(pages);
  waiting_seen_ += static_cast<double>(waiting);
  chunks_seen_ += static_cast<double>(chunks);
  const double read = std::max(1.0, pages_seen_ - waiting_seen_);
  const auto all = static_cast<double>(of(Phase::texts).expected);
  of(Phase::ocr).expected = std::lround(waiting_seen_ / std::max(1.0, pages_seen_) * all);
  of(Phase::embedding).expected = std::lround(chunks_seen_ / read * all);
}

void RunEstimate::begin(Phase phase) {
  const std::lock_guard lock(mutex_);
  if (of(phase).done == 0) of(phase).begin = of(phase).last = Clock::now();
}

void RunEstimate::advance(Phase phase, long units) {
  const std::lock_guard lock(mutex_);
  of(phase).done += units;
  of(phase).last = Clock::now();
}

// Returns how many times longer the finished work took here than on the machine of the
// measurements.
double RunEstimate::slowness() const {
  double here = 0, elsewhere = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (kSecondsAUnit[i] == 0) continue;
    here += seconds_between(states_[i].begin, states_[i].last);
    elsewhere += static_cast<double>(states_[i].done) * kSecondsAUnit[i] / cores_;
  }
  return here < kLeastSeconds || elsewhere == 0 ? 1 : here / elsewhere;
}

// Sums the phases from `first` on. `leave_out` units of the first are not counted.
TimeAfter RunEstimate::sum_from(std::size_t first, long leave_out) const {
  TimeAfter sum;
  for (std::size_t i = first; i < states_.size(); ++i) {
    const State& state = states_[i];
    const long not_counted = i == first ? leave_out : 0;
    const auto left = static_cast<double>(std::max(0L, state.expected - state.done - not_counted));
    if (left == 0) continue;
    const double spent = seconds_between(state.begin, state.last);
    if (spent >= kLeastSeconds && state.done > 0) {
      sum.seconds += left * spent / static_cast<double>(state.done);
    } else if (kSecondsAUnit[i] > 0) {
      sum.seconds += left * kSecondsAUnit[i] / cores_ * slowness();
    } else {
      sum.at_least = true;
    }
  }
  return sum;
}

TimeAfter RunEstimate::after(Phase phase) const {
  const std::lock_guard lock(mutex_);
  return sum_from(static_cast<std::size_t>(phase) + 1, 0);
}

TimeAfter RunEstimate::after(Phase phase, long units) const {
  const std::lock_guard lock(mutex_);
  return sum_from(static_cast<std::size_t>(phase), units);
}

TimeAfter RunEstimate::from(Phase phase) const {
  const std::lock_guard lock(mutex_);
  return sum_from(static_cast<std::size_t>(phase), 0);
}

}  // namespace fineprint::ingest
