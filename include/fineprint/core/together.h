// Has the same kind of work done together for callers that want it at the same time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace fineprint {

// Does requests in groups: requests that come while one group is worked on are the next group. So
// the more callers there are, the larger are the groups; a caller that is alone never waits. Safe
// to use from several threads.
template <class Request>
class Together {
 public:
  // Does all requests of a group. Runs on the thread of one of the callers, once at a time.
  using Work = std::function<void(std::span<Request* const> group)>;

  explicit Together(Work work) : work_(std::move(work)) {}

  // Returns when the request is done. Throws what the work threw for it: if a group of several
  // fails, each request is done again alone, so that none fails because of another.
  void run(Request& request) {
    Place place{&request};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&place);
    changed_.wait(lock, [&] { return place.is_done || !is_working_; });
    if (!place.is_done) lead(&lock);
    lock.unlock();
    if (place.error) std::rethrow_exception(place.error);
  }

  // Returns how many requests wait for the next group.
  std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }

 private:
  // A request of run(), on the stack of its caller.
  struct Place {
    Request* request = nullptr;
    bool is_done = false;
    std::exception_ptr error = {};
  };

  // Does everything that waits. The places stay valid, because their callers wait until these are
  // done.
  void lead(std::unique_lock<std::mutex>* lock) {
    const std::vector<Place*> group = std::exchange(waiting_, {});
    is_working_ = true;
    lock->unlock();
    work_on(group);
    lock->lock();
    is_working_ = false;
    for (Place* place : group) place->is_done = true;
    changed_.notify_all();
  }

  void work_on(const std::vector<Place*>& group) {
    try {
      std::vector<Request*> requests;
      for (const Place* place : group) requests.push_back(place->request);
      work_(requests);
    } catch (...) {
      if (group.size() == 1) {
        group.front()->error = std::current_exception();
        return;
      }
      for (Place* place : group) work_on({place});
    }
  }

  const Work work_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool is_working_ = false;
  std::vector<Place*> waiting_;
};

}  // namespace fineprint
