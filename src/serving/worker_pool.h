// A pool of threads for short work that recurs between the engine's steps.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fineprint::serving {

// Threads are started once and sleep between calls of `run`, because the engine runs it every step.
class WorkerPool {
 public:
  // Uses `threads` threads in all, the caller's included. Starts fewer if the system refuses more.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls body(i) for each i in [0, count) and returns when all calls are done. `body` must not
  // throw. Must not be called by two threads at once.
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
