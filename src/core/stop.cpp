// Tokens form chains: each stops when one that it was made from stops.
#include "fineprint/core/stop.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"

namespace fineprint {

// One link of the chain. A token without a state never asks to stop.
struct StopToken::State {
  std::shared_ptr<const State> parent;
  Clock::time_point deadline = Clock::time_point::max();
  std::atomic<bool> stopped = false;
};

StopToken::StopToken(std::shared_ptr<const State> state) : state_(std::move(state)) {}

StopToken StopToken::of_process() { return StopToken(std::make_shared<State>()); }

StopToken StopToken::until(Clock::time_point deadline) const {
  auto state = std::make_shared<State>();
  state->parent = state_;
  state->deadline = deadline;
  return StopToken(std::move(state));
}

StopReason StopToken::reason() const {
  if (!state_) return StopReason::none;
  if (interrupted()) return StopReason::interrupted;
  Clock::time_point deadline = Clock::time_point::max();
  // An explicit stop anywhere in the chain takes precedence over any deadline.
  for (const State* state = state_.get(); state != nullptr; state = state->parent.get()) {
    if (state->stopped) return StopReason::stopped;
    deadline = std::min(deadline, state->deadline);
  }
  // The clock is read only if there is a deadline, because tokens are checked often.
  const bool is_late = deadline != Clock::time_point::max() && Clock::now() >= deadline;
  return is_late ? StopReason::deadline : StopReason::none;
}

bool StopToken::unwanted() const {
  const StopReason why = reason();
  return why == StopReason::interrupted || why == StopReason::stopped;
}

StopSource::StopSource(const StopToken& parent) : state_(std::make_shared<StopToken::State>()) {
  state_->parent = parent.state_;
}

void StopSource::request_stop() const { state_->stopped = true; }

StopToken StopSource::token() const { return StopToken(state_); }

void throw_if_stopped(const StopToken& token) {
  switch (token.reason()) {
    case StopReason::none:
      return;
    case StopReason::interrupted:
      throw Error(ErrorCode::interrupted, "interrupted");
    case StopReason::stopped:
      throw Error(ErrorCode::interrupted, "stopped because nobody waits for the result any more");
    case StopReason::deadline:
      throw Error(ErrorCode::timed_out, "the time limit is reached");
  }
}

}  // namespace fineprint
