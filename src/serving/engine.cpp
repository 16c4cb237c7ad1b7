// The engine as its callers see it: runs that are handed to the engine's thread and waited for.
#include "fineprint/serving/engine.h"

#include <utility>

#include "fineprint/core/error.h"

#include "serving/engine_loop.h"

namespace fineprint::serving {

EngineRun::EngineRun(std::span<const EngineCall> wanted) : open(wanted.size()) {
  calls.reserve(wanted.size());
  for (const EngineCall& call : wanted) {
    if (!call.sequence || !call.next) {
      throw Error(ErrorCode::internal,
                  "a call to the engine without a sequence or what comes next");
    }
    calls.push_back({.call = &call, .run = this});
  }
}

void EngineRun::wait() {
  std::unique_lock lock(mutex_);
  closed_.wait(lock, [this] { return is_closed_; });
}

// Notifies with the lock held: as soon as it is given up, the run may be gone.
void EngineRun::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  closed_.notify_one();
}

Engine::Engine(StepNetwork& network, const EngineOptions& options)
    : loop_(std::make_unique<Loop>(network, options)) {}

Engine::~Engine() = default;

void Engine::run(std::span<const EngineCall> calls) {
  if (calls.empty()) return;
  EngineRun run(calls);
  loop_->submit(run);
  run.wait();
  if (run.error) std::rethrow_exception(std::move(run.error));
}

}  // namespace fineprint::serving
