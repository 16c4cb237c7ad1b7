// Matrices of quantised folders that stay in codes: the same values as widened ones, and products.
#include "nets/weights/held_groups.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"

#include "nets/weights/held_blocks.h"

namespace fineprint::nets {
namespace {

at::Tensor widened_by_file(const tensorfile::CodedMatrix& coded) {
  at::Tensor values = at::empty({coded.rows, coded.columns}, at::kFloat);
  for (std::int64_t first = 0; first < coded.rows; first += tensorfile::kCodedRows) {
    const std::int64_t rows = std::min(tensorfile::kCodedRows, coded.rows - first);
    widen(coded, first,
          {values.mutable_data_ptr<float>() + first * coded.columns,
           static_cast<std::size_t>(rows * coded.columns)});
  }
  return values;
}

// Calls see(coded) for two matrices of a case of tests/data.
template <class See>
void each_matrix(const std::string& name, const See& see) {
  const models::Checkpoint checkpoint(
      models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + name + "/model"));
  for (const char* matrix : {"layers.0.self_attn.k_proj.weight", "layers.1.mlp.down_proj.weight"}) {
    see(*checkpoint.at("trunk", matrix).view->coded);
  }
}

TEST(HeldGroups, HoldTheValuesOfTheFile) {
  for (const char* name : {"llama_awq", "llama_gptq", "llama_w8a16"}) {
    each_matrix(name, [&](const tensorfile::CodedMatrix& coded) {
      ASSERT_TRUE(may_stay_in_groups(coded)) << name;
      const HeldMatrix held = hold_groups(coded);
      EXPECT_EQ(columns_of_blocks(held), coded.columns);
      const at::Tensor rows = block_rows(held, at::arange(coded.rows, at::kLong));
      const at::Tensor expected = widened_by_file(coded);
      // A sum of two rounded numbers in place of one.
      EXPECT_LT((rows - expected).abs().max().item<float>(),
                1e-5F * expected.abs().max().item<float>())
          << name;
      const at::Tensor x = at::randn({3, coded.columns});
      const at::Tensor y = multiply(held, {}, x);
      const at::Tensor exact = at::linear(x.to(at::kDouble), expected.to(at::kDouble));
      EXPECT_LT(((y - exact).norm() / exact.norm()).item<double>(), 0.02) << name;
    });
  }
}

// Columns in another order, and numbers in FP8, are widened.
TEST(HeldGroups, LeaveOtherCodesAlone) {
  for (const char* name : {"llama_gptq_order", "llama_fp8", "llama_fp8_channel"}) {
    each_matrix(name, [&](const tensorfile::CodedMatrix& coded) {
      EXPECT_FALSE(may_stay_in_groups(coded)) << name;
    });
  }
}

}  // namespace
}  // namespace fineprint::nets
