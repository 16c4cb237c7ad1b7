#include "nets/layers/parallel.h"

#include <atomic>
#include <exception>

#include <ATen/Parallel.h>

#include "nets/layers/openmp_loop.h"

namespace fineprint::nets {
namespace {

struct Loop {
  std::int64_t begin, end, grain;
  const std::function<void(std::int64_t, std::int64_t)>& body;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  std::exception_ptr failure;
};

void run_part(void* state, int thread, int threads) {
  Loop& loop = *static_cast<Loop*>(state);
  const std::int64_t count = loop.end - loop.begin;
  const std::int64_t parts = std::min<std::int64_t>(threads, (count + loop.grain - 1) / loop.grain);
  const std::int64_t size = (count + parts - 1) / parts;
  const std::int64_t begin = loop.begin + thread * size;
  if (begin >= loop.end) return;
  // An exception must not leave a thread of the pool, which would end the process.
  try {
    loop.body(begin, std::min(loop.end, begin + size));
  } catch (...) {
    if (!loop.failed.test_and_set()) loop.failure = std::current_exception();
  }
}

}  // namespace

void parallel_loop(std::int64_t begin, std::int64_t end, std::int64_t grain,
                   const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (begin >= end) return;
  const std::int64_t least = std::max<std::int64_t>(grain, 1);
  if (end - begin <= least || at::in_parallel_region() || at::get_num_threads() == 1) {
    return body(begin, end);
  }
  Loop loop = {begin, end, least, body, ATOMIC_FLAG_INIT, nullptr};
  fineprint_on_openmp_threads(run_part, &loop);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace fineprint::nets
