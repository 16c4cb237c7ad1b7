// The speed of memory is one that memory can have.
#include "fineprint/core/memory_speed.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(MemorySpeed, IsMeasured) {
  for (const int threads : {1, 2}) {
    const double speed = memory_bytes_per_second(threads);
    EXPECT_GT(speed, 1e7) << threads;
    EXPECT_LT(speed, 1e13) << threads;
  }
}

}  // namespace
}  // namespace fineprint
