// Tests of tensors' memory that is used again.
#include "train/gradients/kept_memory.h"

#include <cstdint>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

namespace fineprint::train {
namespace {

bool is_aligned(const at::Tensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % 64 == 0;
}

TEST(KeptMemory, IsUsedAgainBySizesNearby) {
  keep_memory_of_tensors();
  at::Tensor first = at::empty({1'000'000}, at::kFloat);
  const void* const place = first.const_data_ptr();
  first = at::Tensor();
  const at::Tensor smaller = at::empty({990'000}, at::kFloat);
  EXPECT_EQ(smaller.const_data_ptr(), place);
  const at::Tensor beside = at::empty({1'000'000}, at::kFloat);
  EXPECT_NE(beside.const_data_ptr(), place) << "it is in use";
}

TEST(KeptMemory, HoldsWhatWasAskedFor) {
  keep_memory_of_tensors();
  for (const std::int64_t count : {0, 1, 16'383, 16'384, 16'385, 18'432, 18'433, 32'768, 300'001}) {
    for (int again = 0; again < 2; ++again) {
      at::Tensor one = at::arange(count, at::kFloat), other = at::arange(count, at::kFloat);
      EXPECT_TRUE(is_aligned(one) && is_aligned(other)) << count;
      one.fill_(7);  // to its last byte, which is nobody else's
      EXPECT_TRUE(other.eq(at::arange(count, at::kFloat)).all().item<bool>()) << count;
    }
  }
}

}  // namespace
}  // namespace fineprint::train
