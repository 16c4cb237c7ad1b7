// Lends workers to the threads that read documents.
#include "documents/worker_lending.h"

#include <algorithm>
#include <chrono>

#include "fineprint/core/running_program.h"
#include "fineprint/core/threads.h"

namespace fineprint::documents {

WorkerLending::WorkerLending(const DocumentWorkerOptions& options)
    : size_(options.workers > 0 ? options.workers : usable_cores()),
      command_(options.program.empty() ? program_command()
                                       : std::vector<std::string>{options.program}),
      limits_(options.limits),
      models_(options.models) {}

std::unique_ptr<WorkerProcess> WorkerLending::take_locked(std::unique_lock<std::mutex>& lock) {
  ++lent_;
  if (!idle_.empty()) {
    std::unique_ptr<WorkerProcess> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  // Unlocked, because starting a process takes time and other threads must not wait for it.
  lock.unlock();
  try {
    return std::make_unique<WorkerProcess>(command_, limits_, models_);
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

std::unique_ptr<WorkerProcess> WorkerLending::take() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  while (lent_ >= size_ && !interrupted()) {
    freed_.wait_for(lock, std::chrono::milliseconds(200));  // wakes up to notice an interrupt
  }
  --waiting_;
  throw_if_interrupted();
  return take_locked(lock);
}

std::unique_ptr<WorkerProcess> WorkerLending::try_take() {
  std::unique_lock lock(mutex_);
  // A thread that waits comes first.
  if (lent_ >= size_ || waiting_ > 0) return nullptr;
  return take_locked(lock);
}

void WorkerLending::give_back(std::unique_ptr<WorkerProcess> worker) {
  {
    const std::lock_guard lock(mutex_);
    --lent_;
    if (worker) idle_.push_back(std::move(worker));
  }
  freed_.notify_one();
}

bool WorkerLending::wanted() const {
  const std::lock_guard lock(mutex_);
  return waiting_ > 0;
}

}  // namespace fineprint::documents
