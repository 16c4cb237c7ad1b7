// Tests of work on a thread that ends with it.
#include "nets/weights/own_thread.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "nets/weights/products.h"

namespace fineprint::nets {
namespace {

std::ptrdiff_t threads_now() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(OwnThread, LeavesNoHelperBehind) {
  const int threads = at::get_num_threads();
  at::set_num_threads(3);  // LibTorch has another pool, which starts with this
  const std::ptrdiff_t before = threads_now();
  std::atomic<std::ptrdiff_t> meanwhile = 0;
  const at::Tensor y = on_own_thread([&] {
    at::set_num_threads(3);  // of this thread
    at::Tensor made = multiply({at::ones({3000, 1024}), {}}, {}, at::ones({1, 1024}));
    meanwhile = threads_now();
    return made;
  });
  EXPECT_EQ(y[0][2999].item<float>(), 1024);
  EXPECT_GE(meanwhile, before + 3);  // its own, and two helpers
  // They have been told to end, and do so soon.
  for (int i = 0; i < 500 && threads_now() > before; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(threads_now(), before);
  at::set_num_threads(threads);
}

TEST(OwnThread, HandsOnWhatIsThrown) {
  EXPECT_THROW(on_own_thread([]() -> int { throw Error(ErrorCode::model, "no"); }), Error);
}

}  // namespace
}  // namespace fineprint::nets
