// Stops work early: because the user interrupts, because its result is no longer wanted, or at a
// deadline.
#pragma once

#include <chrono>
#include <memory>

namespace fineprint {

// Why work should stop, in the order in which reasons take precedence.
enum class StopReason {
  none,
  interrupted,  // the process must end: SIGINT or SIGTERM
  stopped,      // a StopSource asked for it
  deadline,     // time is up; a partial result may still be wanted
};

// Long-running work checks a token between its steps. Tokens are cheap to copy. All copies of a
// token, and tokens made from it, stop together. Thread-safe.
class StopToken {
 public:
  // A monotonic clock: a change of the system time does not move deadlines.
  using Clock = std::chrono::steady_clock;

  // A token that never asks to stop, not even if the process is interrupted.
  StopToken() = default;
  // Returns a token that asks to stop if the process is interrupted. Every token that is not empty
  // does.
  static StopToken of_process();
  // Returns a token that also asks to stop at `deadline`. Clock::time_point::max() means never.
  StopToken until(Clock::time_point deadline) const;

  bool stop_requested() const { return reason() != StopReason::none; }
  // Returns true if somebody stopped the work, so that nobody waits for a partial result. A
  // deadline is different: the caller may still want the finished part.
  bool unwanted() const;
  // Returns the first reason that applies, in the order of StopReason.
  StopReason reason() const;

 private:
  friend class StopSource;
  struct State;
  explicit StopToken(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

// Stops all work that has its token. Tokens may outlive their source.
class StopSource {
 public:
  // The source's token also stops when `parent` does.
  explicit StopSource(const StopToken& parent = {});

  // Thread-safe. Cannot be undone.
  void request_stop() const;
  // Returns a token for the work to check. All tokens of a source stop together.
  StopToken token() const;

 private:
  std::shared_ptr<StopToken::State> state_;
};

// For work whose partial result is useless. Throws Error(interrupted) if the work was stopped, or
// Error(timed_out) if its deadline has passed.
void throw_if_stopped(const StopToken& token);

}  // namespace fineprint
