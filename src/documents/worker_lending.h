// The workers of one Reader: lent to one task at a time, replaced when they die.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/documents/reader.h"

#include "documents/worker_process.h"

namespace fineprint::documents {

class WorkerLending {
 public:
  explicit WorkerLending(const ReaderOptions& options);

  int size() const { return size_; }
  const std::string& program() const { return program_; }
  const WorkerLimits& limits() const { return limits_; }

  // A worker that is free; waits for one when all are lent. Throws Error(interrupted), or
  // Error(internal) when none can be started.
  std::unique_ptr<WorkerProcess> take();
  // The same without waiting; null when all are lent.
  std::unique_ptr<WorkerProcess> try_take();
  // Gives a worker back for further tasks; null stands for one that died.
  void give_back(std::unique_ptr<WorkerProcess> worker);
  // Whether some thread waits for a worker.
  bool wanted() const;

 private:
  std::unique_ptr<WorkerProcess> take_locked(std::unique_lock<std::mutex>& lock);

  int size_;
  std::string program_;
  WorkerLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<WorkerProcess>> idle_;
  int lent_ = 0;
  int waiting_ = 0;
};

// A worker while it is used: goes back to the pool when `done` was called, else it is killed.
class Lease {
 public:
  Lease(WorkerLending& pool, std::unique_ptr<WorkerProcess> worker)
      : pool_(&pool), worker_(std::move(worker)) {}
  ~Lease() {
    if (!pool_) return;
    if (!done_) worker_.reset();
    pool_->give_back(std::move(worker_));
  }
  Lease(Lease&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)),
        worker_(std::move(other.worker_)),
        done_(other.done_) {}
  Lease& operator=(Lease&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(worker_, other.worker_);
    std::swap(done_, other.done_);
    return *this;
  }

  WorkerProcess* operator->() const { return worker_.get(); }
  // True when the worker has answered all it was asked.
  void set_done(bool done) { done_ = done; }

 private:
  WorkerLending* pool_;
  std::unique_ptr<WorkerProcess> worker_;
  bool done_ = true;
};

}  // namespace fineprint::documents
