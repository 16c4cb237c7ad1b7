// Asking work to stop: by the user of the process, by whoever wanted its result, or by the clock.
#pragma once

#include <chrono>
#include <memory>

namespace fineprint {

enum class StopReason {
  none,
  interrupted,  // the process is to end: SIGINT or SIGTERM
  stopped,      // by a StopSource
  deadline,     // time is up; what there is by then may still be wanted
};

// What long work looks at between its steps. Cheap to copy: all copies, and the tokens made from
// one, are asked to stop together. Safe from several threads.
class StopToken {
 public:
  using Clock = std::chrono::steady_clock;

  // Asks nobody to stop, not even when the process is interrupted.
  StopToken() = default;
  // Asks to stop when the process is interrupted, as every token does that is not empty.
  static StopToken of_process();
  // Asks to stop with this token, and at `deadline` too (Clock::time_point::max(): never).
  StopToken until(Clock::time_point deadline) const;

  bool stop_requested() const { return reason() != StopReason::none; }
  // Stopped by somebody, who hardly waits for what there is, as one may after a deadline.
  bool unwanted() const;
  // The first of StopReason's order that holds.
  StopReason reason() const;

 private:
  friend class StopSource;
  struct State;
  explicit StopToken(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

// Stops what was given its token. Tokens outlive it.
class StopSource {
 public:
  // Its token asks to stop with `parent`, too.
  explicit StopSource(const StopToken& parent = {});

  void request_stop() const;
  StopToken token() const;

 private:
  std::shared_ptr<StopToken::State> state_;
};

// For work that has no use for a part of its result. Throws Error(interrupted), or Error(timed_out)
// after a deadline.
void throw_if_stopped(const StopToken& token);

}  // namespace fineprint
