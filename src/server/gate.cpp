// Counts the requests that run and that wait.
#include "server/gate.h"

#include <chrono>
#include <utility>

#include "fineprint/core/format.h"

#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr auto kLook = std::chrono::milliseconds(50);  // between two checks of a stop token

}  // namespace

Gate::Gate(std::string what, int at_once, int waiting)
    : what_(std::move(what)), at_once_(at_once), most_waiting_(waiting) {}

Gate::Pass::~Pass() {
  if (gate_ != nullptr) gate_->leave();
}

// Polls the stop token while waiting, because tokens have no condition variable to wait for.
Gate::Pass Gate::enter(const StopToken& stop) {
  std::unique_lock lock(mutex_);
  if (load_.inside >= at_once_) {
    if (load_.waiting >= most_waiting_) {
      throw Refusal(429,
                    format("{} {} are in progress and {} wait; try again in a moment", load_.inside,
                           what_, load_.waiting),
                    1);
    }
    ++load_.waiting;
    while (load_.inside >= at_once_ && !stop.stop_requested()) left_.wait_for(lock, kLook);
    --load_.waiting;
  }
  throw_if_stopped(stop);
  ++load_.inside;
  return Pass(*this);
}

void Gate::leave() {
  {
    const std::lock_guard guard(mutex_);
    --load_.inside;
  }
  left_.notify_one();
}

Gate::Load Gate::load() const {
  const std::lock_guard guard(mutex_);
  return load_;
}

}  // namespace fineprint::server
