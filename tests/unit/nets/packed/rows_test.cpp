// Tests of a text encoder's steps against sums in float64, with every kernel of this machine.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {
namespace {

std::vector<float> drawn(std::int64_t count, unsigned seed, float spread = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, spread);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = normal(random);
  return values;
}

double gelu(double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }

class PackedRows : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_packed_kernel(GetParam())); }
  void TearDown() override { use_packed_kernel(""); }
};

// A product of drawn values, and what it should be.
struct Case {
  std::int64_t rows, out, in;
  bool biased, adds, gelu;
  std::int64_t step_more = 3;  // rows do not touch each other

  std::vector<float> x, weight, bias, added;

  void draw(float spread = 1) {
    x = drawn(rows * (in + step_more), 1, spread);
    weight = drawn(out * in, 2);
    bias = drawn(out, 3);
    added = drawn(rows * (out + 1), 4);
  }
  double value(std::int64_t r, std::int64_t o, double* size) const {
    double sum = biased ? bias[static_cast<std::size_t>(o)] : 0;
    *size = std::abs(sum);
    for (std::int64_t i = 0; i < in; ++i) {
      const double term = double{x[static_cast<std::size_t>(r * (in + step_more) + i)]} *
                          weight[static_cast<std::size_t>(o * in + i)];
      sum += term;
      *size += std::abs(term);
    }
    if (adds) sum += added[static_cast<std::size_t>(r * (out + 1) + o)];
    *size += std::abs(sum);
    return gelu ? nets::gelu(sum) : sum;
  }
  Finish finish() const { return {nullptr, adds ? added.data() : nullptr, out + 1, gelu}; }
};

constexpr float kUntouched = -99;

// Multiplies into rows that are longer than they need to be, and sees that nothing else is written.
std::vector<float> multiply(const Case& one) {
  const FloatPanels panels(one.weight.data(), one.biased ? one.bias.data() : nullptr, one.out,
                           one.in);
  const std::int64_t step = one.out + 5;
  std::vector<float> y(static_cast<std::size_t>(one.rows * step), kUntouched);
  Finish finish = one.finish();
  if (one.biased) finish.bias = panels.bias();
  rows_kernel().multiply({{one.x.data(), one.rows, one.in + one.step_more},
                          panels.values(),
                          one.out,
                          one.in,
                          {y.data(), one.rows, step},
                          finish});
  std::vector<float> result;
  for (std::int64_t r = 0; r < one.rows; ++r) {
    const auto row = y.begin() + r * step;
    result.insert(result.end(), row, row + one.out);
    for (std::int64_t c = one.out; c < step; ++c) EXPECT_EQ(row[c], kUntouched);
  }
  return result;
}

void expect_product(const Case& one, const std::vector<float>& y) {
  for (std::int64_t r = 0; r < one.rows; ++r) {
    for (std::int64_t o = 0; o < one.out; ++o) {
      double size = 0;
      const double wanted = one.value(r, o, &size);
      ASSERT_NEAR(y[static_cast<std::size_t>(r * one.out + o)], wanted,
                  size * 6e-8 * (static_cast<double>(one.in) / 2 + 16))
          << one.rows << " rows, " << one.out << " x " << one.in << ", at " << r << ", " << o;
    }
  }
}

TEST_P(PackedRows, ProductsEqualTheSumsInFloat64) {
  for (const std::int64_t rows : {1, 2, 5, 6, 7, 11, 12, 13, 25}) {
    for (const std::int64_t out : {1, 7, 8, 16, 31, 32, 33, 48, 65}) {
      for (const std::int64_t in : {1, 2, 17, 64, 130}) {
        Case one{rows, out, in, true, (rows + in) % 2 == 0, false, 3, {}, {}, {}, {}};
        one.draw();
        expect_product(one, multiply(one));
      }
    }
  }
}

TEST_P(PackedRows, ProductsFinishWithGelu) {
  for (const bool adds : {false, true}) {
    for (const std::int64_t out : {20, 64}) {
      Case one{13, out, 40, true, adds, true, 0, {}, {}, {}, {}};
      one.draw(0.3F);
      expect_product(one, multiply(one));
    }
  }
}

TEST_P(PackedRows, ProductsOfLargeBlocksEqualThoseOfSingleRows) {
  Case one{700, 96, 384, false, false, false, 16, {}, {}, {}, {}};
  one.draw();
  const std::vector<float> together = multiply(one);
  Case alone = one;
  alone.rows = 1;
  for (const std::int64_t row : {0, 1, 12, 340, 699}) {
    alone.x.assign(one.x.begin() + row * 400, one.x.begin() + (row + 1) * 400);
    const std::vector<float> single = multiply(alone);
    EXPECT_EQ(std::memcmp(single.data(), together.data() + row * 96, 96 * sizeof(float)), 0);
  }
}

TEST_P(PackedRows, ProductsOfZerosAreTheBias) {
  Case one{4, 40, 50, true, false, false, 0, {}, {}, {}, {}};
  one.draw();
  std::fill(one.x.begin(), one.x.end(), 0.0F);
  const std::vector<float> y = multiply(one);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], one.bias[i % 40]);
}

TEST_P(PackedRows, GeluIsWithinAFewRoundingsEverywhere) {
  std::vector<float> x;
  for (double value = -12; value < 12; value += 0.0037) x.push_back(static_cast<float>(value));
  x.insert(x.end(), {-1000, -1e30F, 1000, 1e30F, 1e-30F, 0});
  const std::vector<float> one = {1};
  const auto rows = static_cast<std::int64_t>(x.size());
  const FloatPanels panels(one.data(), nullptr, 1, 1);
  std::vector<float> y(x.size());
  rows_kernel().multiply({{x.data(), rows, 1},
                          panels.values(),
                          1,
                          1,
                          {y.data(), rows, 1},
                          {nullptr, nullptr, 0, true}});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double most = 1e-6 + 4e-7 * std::max(0.0F, x[i]);
    EXPECT_NEAR(y[i], gelu(x[i]), most) << x[i];
  }
}

TEST_P(PackedRows, SoftmaxEqualsFloat64) {
  for (const std::int64_t width : {1, 2, 7, 16, 31, 33, 100, 512}) {
    for (const float scale : {1.0F, 0.125F}) {
      const std::int64_t step = rounded_up(width, kPanel);
      std::vector<float> rows = drawn(3 * step, 5, 6);
      std::fill_n(rows.begin() + step, width, 3.25F);  // all alike
      const std::vector<float> before = rows;
      rows_kernel().softmax({rows.data(), 3, step}, width, scale);
      for (std::int64_t r = 0; r < 3; ++r) {
        const float* in = before.data() + r * step;
        const double largest = *std::max_element(in, in + width);
        double total = 0;
        for (std::int64_t i = 0; i < width; ++i) total += std::exp(scale * (in[i] - largest));
        for (std::int64_t i = 0; i < width; ++i) {
          const double wanted = std::exp(scale * (in[i] - largest)) / total;
          ASSERT_NEAR(rows[static_cast<std::size_t>(r * step + i)], wanted, 3e-6 * wanted + 1e-30)
              << width << " values, at " << i;
        }
      }
    }
  }
}

TEST_P(PackedRows, SoftmaxTakesScoresFarApart) {
  std::vector<float> row(kPanel, -3000);
  row[4] = 3000;
  rows_kernel().softmax({row.data(), 1, kPanel}, 20, 1);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(row[i], i == 4 ? 1 : 0, 1e-30);
}

TEST_P(PackedRows, NormEqualsFloat64) {
  for (const std::int64_t width : {1, 3, 8, 15, 16, 17, 40, 384}) {
    const std::vector<float> x = drawn(5 * (width + 2), 6, 3), weight = drawn(width, 7),
                             bias = drawn(width, 8);
    std::vector<float> y(static_cast<std::size_t>(5 * (width + 2)), kUntouched);
    rows_kernel().norm({x.data(), 5, width + 2}, {weight.data(), bias.data(), width, 1e-3F},
                       {y.data(), 5, width + 2});
    for (std::int64_t r = 0; r < 5; ++r) {
      const float* in = x.data() + r * (width + 2);
      double mean = 0, squares = 0;
      for (std::int64_t i = 0; i < width; ++i) mean += in[i] / static_cast<double>(width);
      for (std::int64_t i = 0; i < width; ++i) {
        squares += (in[i] - mean) * (in[i] - mean) / static_cast<double>(width);
      }
      for (std::int64_t i = 0; i < width; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double wanted = (in[i] - mean) / std::sqrt(squares + 1e-3) * weight[at] + bias[at];
        ASSERT_NEAR(y[static_cast<std::size_t>(r * (width + 2) + i)], wanted, 4e-5) << width;
      }
      for (std::int64_t i = width; i < width + 2; ++i) {
        EXPECT_EQ(y[static_cast<std::size_t>(r * (width + 2) + i)], kUntouched);
      }
    }
  }
}

TEST_P(PackedRows, NormOfARowWithoutSpreadIsTheBias) {
  const std::vector<float> x(20, 7), weight(20, 2);
  const std::vector<float> bias = drawn(20, 9);
  std::vector<float> y(20);
  rows_kernel().norm({x.data(), 1, 20}, {weight.data(), bias.data(), 20, 1e-12F},
                     {y.data(), 1, 20});
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(y[i], bias[i], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Kernels, PackedRows, testing::ValuesIn(packed_kernels()),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(PackedKernels, ThereIsAlwaysThePortableOne) {
  EXPECT_EQ(packed_kernels().back(), "portable");
  EXPECT_EQ(packed_kernels().front(), packed_kernel());
  EXPECT_FALSE(use_packed_kernel("abacus"));
}

}  // namespace
}  // namespace fineprint::nets
