// Tests of the words for devices and number formats, and of threads that end.
#include "nets/device.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "nets/own_thread.h"
#include "nets/products.h"

namespace fineprint::nets {
namespace {

TEST(Device, FormatsOfTheCpuAreThoseOfItsMatrices) {
  EXPECT_FALSE(resolve_device({"cpu", "auto", 1}).matrices.has_value());
  EXPECT_EQ(resolve_device({"cpu", "float32", 1}).matrices, MatrixFormat::float32);
  EXPECT_EQ(resolve_device({"cpu", "bfloat16", 1}).matrices, MatrixFormat::bfloat16);
  EXPECT_EQ(resolve_device({"cpu", "float16", 1}).matrices, MatrixFormat::float16);
  for (const char* name : {"auto", "float32", "bfloat16", "float16", "int8"}) {
    EXPECT_EQ(resolve_device({"cpu", name, 1}).dtype, at::kFloat);
  }
  EXPECT_EQ(resolve_device({"cpu", "int8", 3}).matrices, MatrixFormat::int8);
  EXPECT_EQ(resolve_device({"cpu", "int8", 3}).threads, 3);
}

TEST(Device, ActivationsAreRoundedForWhoAsksForBfloat16) {
  for (const char* name : {"auto", "float32", "float16", "int8"}) {
    EXPECT_EQ(resolve_device({"cpu", name, 1}).rounding, Rounding::none) << name;
  }
  const bool able = !rounded_kernel().empty();
  const Rounding rounding = resolve_device({"cpu", "bfloat16", 1}).rounding;
  EXPECT_EQ(rounding != Rounding::none, able);
  EXPECT_EQ(rounding == Rounding::bfloat16_and_results, able && has_tiles());
  EXPECT_EQ(describe_devices().find("avx512-bf16") != std::string::npos, able);
}

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

TEST(Device, UnknownWordsAreRefused) {
  EXPECT_THROW(resolve_device({"cpu", "int4", 1}), Error);
  EXPECT_THROW(resolve_device({"cpu", "", 1}), Error);
  EXPECT_THROW(resolve_device({"tpu", "auto", 1}), Error);
}

TEST(Device, DescriptionNamesTheProducts) {
  EXPECT_NE(describe_devices().find("; products: "), std::string::npos);
}

}  // namespace
}  // namespace fineprint::nets
