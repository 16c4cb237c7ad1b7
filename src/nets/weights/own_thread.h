// Runs work on a thread of its own, so that LibTorch leaves no helper threads with the caller.
#pragma once

#include <future>

namespace fineprint::nets {

// Calls `work` on a thread that ends with it, or on the caller's if no thread can be started.
// Returns its result or throws its exception. OpenMP keeps the helpers of every thread that ever
// ran a parallel loop. The helpers of a decoding thread wait awake only while all helpers of the
// process together are no more than the cores, so unused ones would slow every reply down.
template <typename Work>
auto on_own_thread(const Work& work) {
  return std::async(std::launch::async | std::launch::deferred, [&work] { return work(); }).get();
}

}  // namespace fineprint::nets
