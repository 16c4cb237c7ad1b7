// Work on LibTorch's threads that leaves none of them behind.
#pragma once

#include <future>

namespace fineprint::nets {

// Calls `work` on a thread that ends with it, on the caller's where no other is to be had, and
// gives its result or throws what it throws. OpenMP keeps the helpers of every thread that ever
// shared out a loop, and lets those of a decode wait awake only while all of them together are no
// more than the cores.
template <typename Work>
auto on_own_thread(const Work& work) {
  return std::async(std::launch::async | std::launch::deferred, [&work] { return work(); }).get();
}

}  // namespace fineprint::nets
