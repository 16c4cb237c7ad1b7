// Tests of codes of eight bits and their products, with every kernel of this machine.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {
namespace {

std::vector<float> drawn(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = normal(random);
  return values;
}

// Rows and the codes that they became.
struct Coded {
  Coded(const std::vector<float>& x, std::int64_t rows, std::int64_t in)
      : step(rounded_up(in, kCodesAtATime) + 8),
        width(codes_kernel().code_bytes),
        bytes(static_cast<std::size_t>(rows * step * width), 0xAA),
        low(static_cast<std::size_t>(rows)),
        scale(low.size()),
        view{bytes.data(), rows, step, low.data(), scale.data()} {
    codes_kernel().quantise({x.data(), rows, in}, in, view);
  }
  int code(std::int64_t r, std::int64_t i) const {
    const std::uint8_t* at = bytes.data() + (r * step + i) * width;
    if (width == 1) return *at;
    std::int16_t wide = 0;
    std::memcpy(&wide, at, sizeof wide);
    return wide;
  }
  bool is_written(std::int64_t r, std::int64_t i) const {
    const std::uint8_t* at = bytes.data() + (r * step + i) * width;
    return std::any_of(at, at + width, [](std::uint8_t byte) { return byte != 0xAA; });
  }
  double value(std::int64_t r, std::int64_t i) const {
    const auto row = static_cast<std::size_t>(r);
    return double{low[row]} + double{scale[row]} * code(r, i);
  }

  std::int64_t step, width;
  std::vector<std::uint8_t> bytes;
  std::vector<float> low, scale;
  CodeRows view;
};

int code_at(const CodePanels& panels, std::int64_t row, std::int64_t column) {
  const std::int64_t wide = rounded_up(panels.columns(), kCodesAtATime);
  return panels.codes()[row / kPanel * kPanel * wide +
                        (column / kCodesAtATime * kPanel + row % kPanel) * kCodesAtATime +
                        column % kCodesAtATime];
}

class PackedCodes : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_packed_kernel(GetParam())); }
  void TearDown() override { use_packed_kernel(""); }
};

TEST_P(PackedCodes, OfRowsAreOffByHalfAScaleAtMost) {
  for (const std::int64_t in : {1, 3, 4, 7, 16, 17, 50, 384}) {
    const std::vector<float> x = drawn(6 * in, 1);
    const Coded coded(x, 6, in);
    for (std::int64_t r = 0; r < 6; ++r) {
      const float* row = x.data() + r * in;
      EXPECT_EQ(coded.low[static_cast<std::size_t>(r)], *std::min_element(row, row + in));
      for (std::int64_t i = 0; i < in; ++i) {
        const double half = 0.5 * coded.scale[static_cast<std::size_t>(r)];
        ASSERT_NEAR(coded.value(r, i), row[i], half * 1.0001 + 1e-6) << in;
      }
      // Zeros up to whole groups, and nothing behind them.
      for (std::int64_t i = in; i < rounded_up(in, kCodesAtATime); ++i) {
        EXPECT_EQ(coded.code(r, i), 0);
      }
      for (std::int64_t i = rounded_up(in, kCodesAtATime); i < coded.step; ++i) {
        EXPECT_FALSE(coded.is_written(r, i));
      }
    }
  }
}

TEST_P(PackedCodes, OfRowsWithoutSpreadAreExact) {
  for (const float value : {0.0F, -2.5F, 1e-40F}) {
    const std::vector<float> x(20, value);
    const Coded coded(x, 1, 20);
    for (std::int64_t i = 0; i < 20; ++i) EXPECT_EQ(coded.value(0, i), double{value});
  }
}

TEST(CodePanels, AreOffByHalfAScaleAtMost) {
  for (const std::int64_t out : {1, 31, 33, 70}) {
    for (const std::int64_t in : {1, 4, 6, 50}) {
      std::vector<float> weight = drawn(out * in, 2);
      std::fill_n(weight.begin(), in, 0.0F);  // a row of zeros
      const CodePanels panels(weight.data(), nullptr, out, in);
      EXPECT_EQ(panels.scales()[0], 0);
      for (std::int64_t r = 0; r < out; ++r) {
        const float scale = panels.scales()[r];
        double sum = 0;
        for (std::int64_t c = 0; c < in; ++c) {
          const int code = code_at(panels, r, c);
          EXPECT_GE(code, -127);
          ASSERT_NEAR(double{scale} * code, weight[static_cast<std::size_t>(r * in + c)],
                      0.5001 * scale);
          sum += code;
        }
        EXPECT_NEAR(panels.sums()[r], sum * scale, 1e-5);
      }
    }
  }
}

struct Shape {
  std::int64_t rows, out, in;
};

std::vector<float> multiply(const Coded& coded, const CodePanels& panels, const Finish& finish) {
  const std::int64_t out = panels.rows();
  std::vector<float> y(static_cast<std::size_t>(coded.view.count * out), -99.0F);
  codes_kernel().multiply({coded.view, &panels, {y.data(), coded.view.count, out}, finish});
  return y;
}

void expect_product(const Shape& shape, bool adds) {
  const std::vector<float> x = drawn(shape.rows * shape.in, 3),
                           weight = drawn(shape.out * shape.in, 4), bias = drawn(shape.out, 5),
                           added = drawn(shape.rows * shape.out, 6);
  const CodePanels panels(weight.data(), bias.data(), shape.out, shape.in);
  const Coded coded(x, shape.rows, shape.in);
  const std::vector<float> y =
      multiply(coded, panels, {nullptr, adds ? added.data() : nullptr, shape.out, false});
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    for (std::int64_t o = 0; o < shape.out; ++o) {
      const auto at = static_cast<std::size_t>(r * shape.out + o);
      double sum = bias[static_cast<std::size_t>(o)], size = std::abs(sum);
      for (std::int64_t i = 0; i < shape.in; ++i) {
        const double term =
            coded.value(r, i) * panels.scales()[o] * static_cast<double>(code_at(panels, o, i));
        sum += term;
        size += std::abs(term);
      }
      if (adds) sum += added[at];
      ASSERT_NEAR(y[at], sum, 2e-6 * size + 1e-6)
          << shape.rows << " rows, " << shape.out << " x " << shape.in << ", at " << r << ", " << o;
    }
  }
}

TEST_P(PackedCodes, ProductsEqualTheSumsInFloat64) {
  for (const std::int64_t rows : {1, 2, 3, 4, 11, 12, 13, 25}) {
    for (const std::int64_t out : {1, 7, 16, 32, 33, 48, 70}) {
      for (const std::int64_t in : {1, 3, 4, 17, 64, 131}) {
        expect_product({rows, out, in}, (rows + in) % 2 == 0);
      }
    }
  }
}

// The largest codes there are: 16-bit sums of pairs would not hold them.
TEST_P(PackedCodes, ProductsOfTheLargestCodesDoNotOverflow) {
  constexpr std::int64_t kIn = 1536;
  std::vector<float> x(kIn, 255);
  x[kIn - 1] = 0;
  const std::vector<float> weight(2 * kIn, -1);
  const CodePanels panels(weight.data(), nullptr, 2, kIn);
  const Coded coded(x, 1, kIn);
  const std::vector<float> y = multiply(coded, panels, {});
  EXPECT_NEAR(y[0], -255.0 * (kIn - 1), 1);
  EXPECT_EQ(y[0], y[1]);
}

TEST_P(PackedCodes, ProductsAreThoseOfThePortableKernel) {
  const std::vector<float> x = drawn(30 * 96, 7), weight = drawn(80 * 96, 8);
  const CodePanels panels(weight.data(), nullptr, 80, 96);
  const Coded coded(x, 30, 96);
  const std::vector<float> ours = multiply(coded, panels, {});
  ASSERT_TRUE(use_packed_kernel("portable"));
  const Coded again(x, 30, 96);
  for (std::int64_t r = 0; r < 30; ++r) {
    for (std::int64_t i = 0; i < 96; ++i) ASSERT_EQ(again.code(r, i), coded.code(r, i));
  }
  const std::vector<float> portable = multiply(again, panels, {});
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], portable[i], 3e-5);
}

TEST_P(PackedCodes, ProductsOfARowDoNotDependOnItsCompany) {
  const std::vector<float> x = drawn(40 * 100, 9), weight = drawn(50 * 100, 10);
  const CodePanels panels(weight.data(), nullptr, 50, 100);
  const std::vector<float> together =
      multiply(Coded(x, 40, 100), panels, {nullptr, nullptr, 0, true});
  for (const std::int64_t row : {0, 7, 12, 39}) {
    const std::vector<float> one(x.begin() + row * 100, x.begin() + (row + 1) * 100);
    const std::vector<float> alone =
        multiply(Coded(one, 1, 100), panels, {nullptr, nullptr, 0, true});
    EXPECT_EQ(std::memcmp(alone.data(), together.data() + row * 50, 50 * sizeof(float)), 0) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, PackedCodes, testing::ValuesIn(packed_kernels()),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace fineprint::nets
