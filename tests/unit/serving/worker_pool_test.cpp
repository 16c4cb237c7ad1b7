// Each item once, by all threads, as often as asked.
#include "serving/worker_pool.h"

#include <atomic>
#include <latch>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::serving {
namespace {

TEST(EngineWorkerPool, EachItemOnce) {
  for (const int threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    for (std::size_t round = 0; round < 2000; ++round) {
      const std::size_t count = round % 9;
      std::vector<std::atomic<int>> done(count);
      pool.run(count, [&](std::size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) ASSERT_EQ(times, 1);
    }
  }
}

TEST(EngineWorkerPool, ItemsRunBesideEachOther) {
  WorkerPool pool(4);
  for (int round = 0; round < 20; ++round) {
    std::latch all(4);
    pool.run(4, [&](std::size_t) { all.arrive_and_wait(); });
  }
}

}  // namespace
}  // namespace fineprint::serving
