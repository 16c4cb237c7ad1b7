// Hands out the items of a piece of work to threads that sleep between pieces.
#include "serving/worker_pool.h"

#include <algorithm>
#include <system_error>

namespace fineprint::serving {

WorkerPool::WorkerPool(int threads) {
  try {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // The system refuses more threads. The started ones, and the caller's, do all the work.
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  offered_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  // A single item is not worth waking a thread.
  if (helpers_.empty() || count < 2) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  std::unique_lock lock(mutex_);
  body_ = &body;
  count_ = count;
  begun_ = ended_ = 0;
  for (std::size_t i = 0; i < std::min(count - 1, helpers_.size()); ++i) offered_.notify_one();
  work(lock);
  done_.wait(lock, [this] { return ended_ == count_; });
}

void WorkerPool::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    offered_.wait(lock, [this] { return stop_ || begun_ < count_; });
    if (stop_) return;
    work(lock);
  }
}

void WorkerPool::work(std::unique_lock<std::mutex>& lock) {
  while (begun_ < count_) {
    const std::size_t i = begun_++;
    lock.unlock();
    (*body_)(i);
    lock.lock();
    // Only the caller of `run` waits for it.
    if (++ended_ == count_) done_.notify_one();
  }
}

}  // namespace fineprint::serving
