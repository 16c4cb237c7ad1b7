// Loops over LibTorch's threads, as at::parallel_for, whose template needs the OpenMP of g++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace fineprint::nets {

// Calls body(begin, end) for parts of [begin, end) on LibTorch's threads and returns when all are
// done. No part but the last is smaller than `grain`. Runs on the calling thread alone if the range
// is not larger than `grain`, or if the caller is itself inside such a loop. Rethrows the first
// exception.
void parallel_loop(std::int64_t begin, std::int64_t end, std::int64_t grain,
                   const std::function<void(std::int64_t, std::int64_t)>& body);

}  // namespace fineprint::nets
