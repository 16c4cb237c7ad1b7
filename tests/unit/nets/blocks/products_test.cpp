// Tests of products and look-ups with weights as they are held, on LibTorch's tensors.
#include "nets/weights/products.h"

#include <vector>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "nets/layers/layers.h"

namespace fineprint::nets {
namespace {

constexpr MatrixFormat kFormats[] = {MatrixFormat::float32, MatrixFormat::bfloat16,
                                     MatrixFormat::float16, MatrixFormat::int8};

// What a matrix stands for, in float64.
at::Tensor meaning(const HeldMatrix& held, std::int64_t columns) {
  const at::Tensor all = at::arange(held.values.size(0), at::kLong);
  return held_rows(held, columns, all).to(at::kDouble);
}

TEST(HeldProducts, EqualLibTorchsInFloat64) {
  for (const MatrixFormat format : kFormats) {
    for (const auto& [out, in] : {std::pair{1, 1}, {5, 63}, {130, 200}, {64, 1024}}) {
      QuantisationLoss loss;
      const HeldMatrix weight = hold_as(format, at::randn({out, in}), &loss);
      const at::Tensor bias = at::randn({out});
      for (const std::int64_t n : {1, 2, 16, 33}) {
        const at::Tensor x = at::randn({n, in});
        const at::Tensor y = multiply(weight, bias, x);
        const at::Tensor expected =
            at::linear(x.to(at::kDouble), meaning(weight, in), bias.to(at::kDouble));
        EXPECT_LT((y - expected).abs().max().item<double>(), 2e-5 * std::max(in, 16))
            << static_cast<int>(format) << ": " << out << " x " << in << ", " << n;
      }
    }
  }
}

TEST(HeldProducts, OfARowDoNotDependOnItsCompanyOrTheThreads) {
  const at::Tensor x = at::randn({3, 11, 700});
  const int threads = at::get_num_threads();
  for (const MatrixFormat format : kFormats) {
    QuantisationLoss loss;
    const HeldMatrix weight = hold_as(format, at::randn({1001, 700}), &loss);
    at::set_num_threads(1);
    const at::Tensor together = multiply(weight, {}, x);  // [3, 11, 1001]
    EXPECT_EQ(together.sizes(), (std::vector<std::int64_t>{3, 11, 1001}));
    at::set_num_threads(3);
    for (const std::int64_t row : {0, 4, 10}) {
      EXPECT_TRUE(at::equal(multiply(weight, {}, x[1][row]), together[1][row]));
    }
    EXPECT_TRUE(at::equal(multiply(weight, {}, x), together));
  }
  at::set_num_threads(threads);
}

TEST(HeldProducts, RoundManyRowsWhereTheMatrixSaysSo) {
  if (rounded_kernel().empty()) GTEST_SKIP() << "this processor multiplies no bfloat16";
  const at::Tensor bias = at::randn({131}), x = at::randn({3, 11, 701});
  const HeldMatrix exact = {at::randn({131, 701}).to(at::kBFloat16), {}};
  HeldMatrix rounding = exact;
  rounding.rounding = Rounding::bfloat16;
  const at::Tensor y = multiply(rounding, bias, x);  // [3, 11, 131]
  const at::Tensor expected = at::linear(x.to(at::kBFloat16).to(at::kDouble),
                                         exact.values.to(at::kDouble), bias.to(at::kDouble));
  EXPECT_LT((y - expected).abs().max().item<double>(), 1e-3);
  EXPECT_GT((y - multiply(exact, bias, x)).abs().max().item<double>(), 1e-3);
  // Each row as if among others, on any number of threads.
  const int threads = at::get_num_threads();
  at::set_num_threads(threads == 1 ? 3 : 1);
  const at::Tensor rows = x.view({33, 701}).narrow(0, 16, 17);
  EXPECT_TRUE(at::equal(multiply(rounding, bias, rows), y.view({33, 131}).narrow(0, 16, 17)));
  at::set_num_threads(threads);
  // A few are multiplied as they are.
  const at::Tensor few = rows.narrow(0, 0, kLeastRounded - 1);
  EXPECT_TRUE(at::equal(multiply(rounding, bias, few), multiply(exact, bias, few)));
}

TEST(HeldProducts, AreLeftToLibTorchsLibraryWhereTheMatrixSaysSo) {
  if (rounded_kernel().empty()) GTEST_SKIP() << "this processor multiplies no bfloat16";
  const at::Tensor bias = at::randn({131}), x = at::randn({2, kLeastForLibrary / 2, 701});
  HeldMatrix ours = {at::randn({131, 701}).to(at::kBFloat16), {}};
  ours.rounding = Rounding::bfloat16;
  HeldMatrix library = ours;
  library.rounding = Rounding::bfloat16_and_results;
  const at::Tensor y = multiply(library, bias, x), expected = multiply(ours, bias, x);
  EXPECT_EQ(y.sizes(), expected.sizes());
  EXPECT_EQ(y.scalar_type(), at::kFloat);
  // Results of some tens have 8 bits: half a step is 1/512 of a value. Without it they are ours.
  const at::Tensor product = expected - bias;
  EXPECT_LT(((y - expected).abs() - product.abs() / 256).max().item<double>(), 1e-3);
  EXPECT_GT((y - expected).abs().max().item<double>(), 1e-3);
  const at::Tensor few = x[0];
  EXPECT_TRUE(at::equal(multiply(library, bias, few), multiply(ours, bias, few)));
}

TEST(HeldProducts, TakeRowsThatDoNotLieTogether) {
  const HeldMatrix weight = {at::randn({20, 48}), {}};
  const at::Tensor x = at::randn({48, 6}).transpose(0, 1);  // [6, 48]
  EXPECT_TRUE(can_multiply(weight, x));
  EXPECT_TRUE(at::equal(multiply(weight, {}, x), multiply(weight, {}, x.contiguous())));
  EXPECT_EQ(multiply(weight, {}, x.narrow(0, 0, 0)).numel(), 0);
  EXPECT_THROW(multiply(weight, {}, at::randn({2, 47})), c10::Error);
}

TEST(HeldProducts, LeaveManyRowsOfFloat32ToLibTorch) {
  QuantisationLoss loss;
  const HeldMatrix wide = {at::randn({20, 48}), {}};
  EXPECT_TRUE(can_multiply(wide, at::randn({2, 8, 48})));
  EXPECT_FALSE(can_multiply(wide, at::randn({17, 48})));
  EXPECT_TRUE(
      can_multiply(hold_as(MatrixFormat::bfloat16, wide.values, &loss), at::randn({17, 48})));
  EXPECT_FALSE(can_multiply(wide, at::randn({1, 48}).to(at::kBFloat16)));
}

TEST(HeldProducts, LookUpRows) {
  const at::Tensor table = at::randn({40, 65});
  const at::Tensor index = at::tensor(std::vector<std::int64_t>{39, 0, 7, 7}, at::kLong);
  for (const MatrixFormat format : kFormats) {
    QuantisationLoss loss;
    const HeldMatrix held = hold_as(format, table, &loss);
    const at::Tensor rows = look_up({{held, {}}, 65}, index);
    EXPECT_EQ(rows.scalar_type(), at::kFloat);
    const double most = format == MatrixFormat::float32 ? 0 : 0.02;
    EXPECT_LE((rows - at::embedding(table, index)).abs().max().item<double>(), most);
    if (!held.scales.defined()) {
      EXPECT_TRUE(at::equal(rows, at::embedding(held.values, index).to(at::kFloat)));
    }
  }
  EXPECT_THROW(held_rows({table, {}}, 65, at::tensor(std::vector<std::int64_t>{40}, at::kLong)),
               c10::Error);
}

TEST(HeldProducts, WhatFloat16CannotHoldIsRefused) {
  QuantisationLoss loss;
  EXPECT_THROW(hold_as(MatrixFormat::float16, at::full({2, 2}, 1e5), &loss), c10::Error);
}

TEST(HeldProducts, WhatIsAsWantedStaysWhereItIs) {
  QuantisationLoss loss;
  const at::Tensor half = at::randn({4, 4}).to(at::kBFloat16);
  EXPECT_TRUE(hold_as(MatrixFormat::bfloat16, half, &loss).values.is_same(half));
}

}  // namespace
}  // namespace fineprint::nets
