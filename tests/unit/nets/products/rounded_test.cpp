// Products with vectors rounded to bfloat16, against sums of the rounded values in float64.
#include "nets/products/rounded.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

constexpr std::uint16_t kInfinity = 0x7F80, kNan = 0x7FC1;

float widened(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

// By the definition: to the nearest, of two to the one with an even last bit; denormals to 0.
float rounded(float value) {
  if (!std::isfinite(value)) return value;
  if (std::abs(value) < std::numeric_limits<float>::min()) return std::copysign(0.0F, value);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t low = bits & 0xFFFFU, kept = bits >> 16;
  const bool up = low > 0x8000U || (low == 0x8000U && (kept & 1U) != 0);
  return std::bit_cast<float>((kept + (up ? 1U : 0U)) << 16);
}

std::vector<float> normal_values(std::int64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = normal(random);
  return values;
}

// [rows, columns] at an address that suits nothing wider than its values, with NaNs behind it that
// must not be read as values.
class Made {
 public:
  Made(std::int64_t rows, std::int64_t columns) : rows_(rows), columns_(columns) {
    bits_.assign(static_cast<std::size_t>(rows * columns) + 101, kNan);
    const std::vector<float> values = normal_values(rows * columns, 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
      bits_[i + 1] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[i]) >> 16);
    }
  }

  void set(std::int64_t row, std::int64_t column, std::uint16_t bits) {
    bits_[index(row, column)] = bits;
  }
  double at(std::int64_t row, std::int64_t column) const {
    return widened(bits_[index(row, column)]);
  }
  StoredMatrix matrix() const {
    return {MatrixFormat::bfloat16, bits_.data() + 1, rows_, columns_, columns_, nullptr};
  }

 private:
  std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * columns_ + column) + 1;
  }

  std::int64_t rows_, columns_;
  std::vector<std::uint16_t> bits_;
};

// In stretches of `step` rows.
std::vector<float> multiply(const StoredMatrix& weight, const std::vector<float>& x,
                            std::int64_t vectors, const float* bias, std::int64_t step) {
  const auto size = static_cast<std::size_t>(rounded_size(vectors, weight.columns));
  std::vector<std::uint32_t> room(size + 16, 0xFFFFFFFFU);
  std::uint32_t* words = room.data();
  while (reinterpret_cast<std::uintptr_t>(words) % 64 != 0) ++words;
  for (std::int64_t group = 0; group < rounded_groups(vectors); ++group) {
    round_vectors(x.data(), vectors, weight.columns, group, group + 1, words);
  }
  std::vector<float> y(static_cast<std::size_t>(vectors * weight.rows), -99.0F);
  const RoundedProduct product = {weight, words, vectors, bias, y.data()};
  for (std::int64_t row = 0; row < weight.rows; row += step) {
    multiply_rounded(product, row, std::min(row + step, weight.rows));
  }
  return y;
}

void expect_sums(const Made& made, const std::vector<float>& x, std::int64_t vectors,
                 const float* bias, const std::vector<float>& y) {
  const StoredMatrix weight = made.matrix();
  for (std::int64_t v = 0; v < vectors; ++v) {
    for (std::int64_t r = 0; r < weight.rows; ++r) {
      double sum = bias == nullptr ? 0 : bias[r], size = std::abs(sum);
      for (std::int64_t c = 0; c < weight.columns; ++c) {
        const double term =
            made.at(r, c) * rounded(x[static_cast<std::size_t>(v * weight.columns + c)]);
        sum += term;
        size += std::abs(term);
      }
      const double most = size * 0x1p-24 * static_cast<double>(weight.columns + 8);
      ASSERT_NEAR(y[static_cast<std::size_t>(v * weight.rows + r)], sum, most)
          << weight.rows << " x " << weight.columns << ", row " << r << ", vector " << v << " of "
          << vectors;
    }
  }
}

class RoundedProducts : public testing::Test {
 protected:
  void SetUp() override {
    if (rounded_kernel().empty()) GTEST_SKIP() << "this processor multiplies no bfloat16";
  }
};

TEST_F(RoundedProducts, EqualTheSumsOfRoundedValues) {
  for (const std::int64_t rows : {1, 2, 15, 16, 17, 31, 32, 33, 65}) {
    for (const std::int64_t columns : {1, 2, 3, 15, 31, 32, 33, 63, 64, 65, 200, 513}) {
      const Made made(rows, columns);
      const std::vector<float> bias = normal_values(rows, 4);
      for (const std::int64_t vectors : {1, 2, 11, 12, 13, 24, 25}) {
        const std::vector<float> x = normal_values(vectors * columns, 5);
        expect_sums(made, x, vectors, bias.data(),
                    multiply(made.matrix(), x, vectors, bias.data(), rows));
      }
    }
  }
}

TEST_F(RoundedProducts, TakeAnyNumberOfVectors) {
  const Made made(50, 100);
  for (std::int64_t vectors = 1; vectors <= 50; ++vectors) {
    const std::vector<float> x = normal_values(vectors * 100, 6);
    expect_sums(made, x, vectors, nullptr, multiply(made.matrix(), x, vectors, nullptr, 50));
  }
}

// Too long for the second cache: worked off in pieces.
TEST_F(RoundedProducts, OfLongVectors) {
  for (const std::int64_t columns : {2048, 2049, 5001}) {
    const Made made(53, columns);
    const std::vector<float> bias = normal_values(53, 4), x = normal_values(29 * columns, 7);
    expect_sums(made, x, 29, bias.data(), multiply(made.matrix(), x, 29, bias.data(), 32));
  }
}

TEST_F(RoundedProducts, OfAVectorDoNotDependOnItsCompany) {
  for (const std::int64_t columns : {40, 2100}) {
    const Made made(101, columns);
    const std::vector<float> all = normal_values(40 * columns, 8);
    for (const std::int64_t vectors : {1, 5, 13, 40}) {
      const std::vector<float> together = multiply(made.matrix(), all, vectors, nullptr, 37);
      for (std::int64_t v = 0; v < vectors; ++v) {
        const std::vector<float> x(all.begin() + v * columns, all.begin() + (v + 1) * columns);
        const std::vector<float> alone = multiply(made.matrix(), x, 1, nullptr, 101);
        ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + v * 101))
            << vectors << " vectors of " << columns;
      }
    }
  }
}

TEST_F(RoundedProducts, RoundToTheNearest) {
  Made one(1, 1);
  one.set(0, 0, 0x3F80);  // 1
  std::mt19937 random(9);
  std::vector<float> x = {1.00390625F,  // half way between two: to 1
                          1.01171875F,  // half way again: to 1.015625
                          -1.00390625F, 3.4e38F, 1e-39F, -1e-39F, 0.0F};
  while (x.size() < 4000) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) x.push_back(value);
  }
  const std::vector<float> y =
      multiply(one.matrix(), x, static_cast<std::int64_t>(x.size()), nullptr, 1);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], rounded(x[i])) << x[i];
}

TEST_F(RoundedProducts, CarryInfinitiesAndNans) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::int64_t column : {0, 31, 32, 98, 99}) {
    Made made(3, 100);
    for (std::int64_t c = 0; c < 100; ++c) made.set(0, c, 0);
    made.set(0, column, 0x0001);  // a denormal counts as 0
    made.set(1, column, kInfinity);
    made.set(2, column, kNan);
    std::vector<float> x(300, 1.0F);
    x[static_cast<std::size_t>(100 + column)] = -infinity;
    x[static_cast<std::size_t>(200 + column)] = std::nanf("");
    const std::vector<float> y = multiply(made.matrix(), x, 3, nullptr, 3);  // [vectors, rows]
    EXPECT_EQ(y[0], 0);
    EXPECT_EQ(y[1], infinity);
    EXPECT_TRUE(std::isnan(y[2]));
    EXPECT_EQ(y[4], -infinity);
    EXPECT_TRUE(std::isnan(y[5]));
    for (const std::size_t nan : {6U, 7U, 8U}) EXPECT_TRUE(std::isnan(y[nan])) << nan;
  }
}

// The row behind the one that is read must leave no trace, whatever it holds.
TEST_F(RoundedProducts, ReadNoOtherRow) {
  for (const std::int64_t columns : {3, 40, 65}) {
    Made made(2, columns);
    for (std::int64_t c = 0; c < columns; ++c) made.set(1, c, kNan);
    const std::vector<float> y =
        multiply(made.matrix(), normal_values(5 * columns, 2), 5, nullptr, 2);
    for (std::size_t v = 0; v < 5; ++v) {
      EXPECT_FALSE(std::isnan(y[2 * v]));
      EXPECT_TRUE(std::isnan(y[2 * v + 1]));
    }
  }
}

TEST_F(RoundedProducts, OfAnEmptyMatrix) {
  EXPECT_TRUE(multiply(Made(0, 8).matrix(), normal_values(24, 1), 3, nullptr, 1).empty());
  const std::vector<float> bias = {1, 2};
  EXPECT_EQ(multiply(Made(2, 0).matrix(), {}, 1, bias.data(), 2), bias);
}

}  // namespace
}  // namespace fineprint::nets
