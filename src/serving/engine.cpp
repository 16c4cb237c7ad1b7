// The callers' side of the engine: hands runs to the engine's thread and waits for them.
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
                  "a call to the engine lacks its sequence or its `next` function");
    }
    calls.push_back({.call = &call, .run = this});
  }
}

void EngineRun::wait() {
  std::unique_lock lock(mutex_);
  closed_.wait(lock, [this] { return is_closed_; });
}

// Notifies while holding the lock: once it is released, the waiting thread may have destroyed the
// run.
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
