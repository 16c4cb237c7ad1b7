// Lends document workers to one task at a time, and replaces workers that die.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/documents/document_workers.h"

#include "documents/worker_process.h"

namespace fineprint::documents {

// The pool of workers. Thread-safe.
class WorkerLending {
 public:
  explicit WorkerLending(const DocumentWorkerOptions& options);

  int size() const { return size_; }
  // The beginning of the command that starts a worker.
  const std::vector<std::string>& command() const { return command_; }
  const WorkerLimits& limits() const { return limits_; }

  // Returns a free worker, and waits for one if all are lent. Throws Error(interrupted), or
  // Error(internal) if no worker can be started.
  std::unique_ptr<WorkerProcess> take();
  // Returns a free worker, or null if all are lent or a thread waits for one.
  std::unique_ptr<WorkerProcess> try_take();
  // Returns a worker to the pool. Null means that the worker died.
  void give_back(std::unique_ptr<WorkerProcess> worker);
  // Returns whether a thread is waiting for a worker.
  bool wanted() const;

 private:
  std::unique_ptr<WorkerProcess> take_locked(std::unique_lock<std::mutex>& lock);

  int size_;
  std::vector<std::string> command_;
  WorkerLimits limits_;
  WorkerModels models_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<WorkerProcess>> idle_;
  int lent_ = 0;
  int waiting_ = 0;
};

// A worker in use. On destruction it goes back to the pool if it is done, and is killed if it is
// not: half an answer may still be on its way.
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
  // Call with true when the worker has answered everything it was asked.
  void set_done(bool done) { done_ = done; }

 private:
  WorkerLending* pool_;
  std::unique_ptr<WorkerProcess> worker_;
  bool done_ = true;
};

}  // namespace fineprint::documents
