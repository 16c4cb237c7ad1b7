// Threads that stay, for short work that comes again and again.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fineprint::serving {

class WorkerPool {
 public:
  // `threads` in all, of which one is the caller's; fewer when no more can be started.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls body(i) for each i in [0, count) and returns when all are done. `body` must not throw.
  // Not to be called by two threads at once.
  void run(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  void help();
  void work(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable offered_, done_;
  const std::function<void(std::size_t)>* body_ = nullptr;
  std::size_t count_ = 0, begun_ = 0, ended_ = 0;
  bool stop_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace fineprint::serving
