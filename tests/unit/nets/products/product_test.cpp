// Products with matrices as they are stored, against sums in float64, on every instruction set of
// the machine.
#include "nets/products/product.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nets/products/quantise.h"

namespace fineprint::nets {
namespace {

std::uint16_t to_bfloat16(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

// By the definition, in float64.
double from_float16(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// A matrix in one of the formats, behind an odd offset, followed by NaNs that must not be read as
// values; and what it stands for.
class Made {
 public:
  Made(MatrixFormat format, std::int64_t rows, std::int64_t columns, std::uint32_t seed)
      : values_(static_cast<std::size_t>(rows * columns)) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    matrix_.format = format;
    matrix_.rows = rows;
    matrix_.columns = columns;
    matrix_.row_values = columns;
    for (double& value : values_) value = normal(random);
    store();
  }

  // Writes the bits of one value; not for int8.
  void set(std::int64_t index, std::uint32_t bits) {
    const auto size = static_cast<std::size_t>(value_bytes(matrix_.format));
    std::memcpy(bytes_.data() + kOffset + size * static_cast<std::size_t>(index), &bits, size);
    read_back(static_cast<std::size_t>(index));
  }

  const StoredMatrix& matrix() const { return matrix_; }
  double at(std::int64_t row, std::int64_t column) const {
    return values_[static_cast<std::size_t>(row * matrix_.columns + column)];
  }

 private:
  static constexpr std::size_t kOffset = 4;

  void store() {
    if (matrix_.format == MatrixFormat::int8) return store_codes();
    const auto size = static_cast<std::size_t>(value_bytes(matrix_.format));
    bytes_.assign(kOffset + values_.size() * size + 256, 0xFF);
    matrix_.values = bytes_.data() + kOffset;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto value = static_cast<float>(values_[i]);
      std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
      if (matrix_.format == MatrixFormat::bfloat16) bits = to_bfloat16(value);
      // Any bits are a value: sign, an exponent near 1, fraction.
      if (matrix_.format == MatrixFormat::float16) {
        bits = (bits >> 16 & 0x8000U) | 0x3800U | (bits >> 11 & 0x7FFU);
      }
      set(static_cast<std::int64_t>(i), bits);
    }
  }

  void store_codes() {
    const std::vector<float> wide(values_.begin(), values_.end());
    codes_.resize(static_cast<std::size_t>(quantised_columns(matrix_.columns) * matrix_.rows));
    scales_.resize(codes_.size() / kCodesPerScale);
    StoredMatrix from = matrix_;
    from.format = MatrixFormat::float32;
    from.values = wide.data();
    quantise_rows(from, 0, matrix_.rows, codes_.data(), scales_.data());
    matrix_.row_values = quantised_columns(matrix_.columns);
    matrix_.values = codes_.data();
    matrix_.scales = scales_.data();
    for (std::int64_t i = 0; i < matrix_.rows * matrix_.columns; ++i) {
      const std::int64_t at = i / matrix_.columns * matrix_.row_values + i % matrix_.columns;
      values_[static_cast<std::size_t>(i)] =
          double{static_cast<float>(codes_[static_cast<std::size_t>(at)])} *
          scales_[static_cast<std::size_t>(at / kCodesPerScale)];
    }
  }

  void read_back(std::size_t i) {
    const auto size = static_cast<std::size_t>(value_bytes(matrix_.format));
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes_.data() + kOffset + size * i, size);
    values_[i] = matrix_.format == MatrixFormat::float32 ? std::bit_cast<float>(bits)
                 : matrix_.format == MatrixFormat::bfloat16
                     ? from_bfloat16(static_cast<std::uint16_t>(bits))
                     : from_float16(static_cast<std::uint16_t>(bits));
  }

  StoredMatrix matrix_;
  std::vector<double> values_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int8_t> codes_;
  std::vector<float> scales_;
};

std::vector<float> random_vectors(std::int64_t count, std::int64_t columns) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> x(static_cast<std::size_t>(count * columns));
  for (float& value : x) value = normal(random);
  return x;
}

// In stretches of `step` rows.
std::vector<float> multiply(const StoredMatrix& weight, const std::vector<float>& x,
                            std::int64_t vectors, const float* bias, std::int64_t step) {
  const auto size = static_cast<std::size_t>(arranged_size(vectors, weight.columns));
  std::vector<float> room(size + 16, std::nanf(""));
  float* arranged = room.data();
  while (reinterpret_cast<std::uintptr_t>(arranged) % 64 != 0) ++arranged;
  if (size > 0) {
    for (std::int64_t group = 0; group < arranged_groups(vectors); ++group) {
      arrange_vectors(x.data(), vectors, weight.columns, group, group + 1, arranged);
    }
  }
  std::vector<float> y(static_cast<std::size_t>(vectors * weight.rows), -99.0F);
  const Product product = {weight, size > 0 ? arranged : x.data(), vectors, bias, y.data()};
  for (std::int64_t row = 0; row < weight.rows; row += step) {
    multiply_rows(product, row, std::min(row + step, weight.rows));
  }
  return y;
}

class Products : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_product_kernel(GetParam())); }
  void TearDown() override { use_product_kernel(""); }
};

constexpr MatrixFormat kFormats[] = {MatrixFormat::float32, MatrixFormat::bfloat16,
                                     MatrixFormat::float16, MatrixFormat::int8};
constexpr MatrixFormat kStoredFormats[] = {MatrixFormat::float32, MatrixFormat::bfloat16,
                                           MatrixFormat::float16};

void expect_sums(const Made& made, const std::vector<float>& x, std::int64_t vectors,
                 const std::vector<float>& bias, const std::vector<float>& y) {
  const StoredMatrix& weight = made.matrix();
  for (std::int64_t v = 0; v < vectors; ++v) {
    for (std::int64_t r = 0; r < weight.rows; ++r) {
      double sum = bias.empty() ? 0 : bias[static_cast<std::size_t>(r)], size = std::abs(sum);
      for (std::int64_t c = 0; c < weight.columns; ++c) {
        const double term = made.at(r, c) * x[static_cast<std::size_t>(v * weight.columns + c)];
        sum += term;
        size += std::abs(term);
      }
      const double most = size * 1.2e-7 * (static_cast<double>(weight.columns) / 4 + 24);
      ASSERT_NEAR(y[static_cast<std::size_t>(v * weight.rows + r)], sum, most)
          << "format " << static_cast<int>(weight.format) << ", " << weight.rows << " x "
          << weight.columns << ", row " << r << ", vector " << v << " of " << vectors;
    }
  }
}

TEST_P(Products, EqualTheSumsInFloat64) {
  for (const MatrixFormat format : kFormats) {
    for (const std::int64_t rows : {1, 2, 3, 5, 7, 16, 17, 65}) {
      for (const std::int64_t columns : {1, 7, 15, 16, 17, 31, 33, 63, 64, 65, 200, 513}) {
        const Made made(format, rows, columns, 3);
        const std::vector<float> bias = random_vectors(1, rows);
        for (const std::int64_t vectors : {1, 2, 3, 4, 7, 8, 9, 17}) {
          const std::vector<float> x = random_vectors(vectors, columns);
          expect_sums(made, x, vectors, bias,
                      multiply(made.matrix(), x, vectors, bias.data(), rows));
        }
      }
    }
  }
}

TEST_P(Products, TakeAnyNumberOfVectors) {
  for (const MatrixFormat format : kFormats) {
    const Made made(format, 50, 1100, 4);
    for (std::int64_t vectors = 1; vectors <= 40; ++vectors) {
      const std::vector<float> x = random_vectors(vectors, 1100);
      expect_sums(made, x, vectors, {}, multiply(made.matrix(), x, vectors, nullptr, 50));
    }
  }
}

TEST_P(Products, OfAVectorDoNotDependOnItsCompany) {
  for (const MatrixFormat format : kFormats) {
    for (const std::int64_t columns : {40, 512, 1100, 2048}) {
      const Made made(format, 101, columns, 5);
      const std::vector<float> all = random_vectors(40, columns);
      for (const std::int64_t vectors : {1, 2, 5, 8, 13, 16, 40}) {
        const std::vector<float> together = multiply(made.matrix(), all, vectors, nullptr, 37);
        for (std::int64_t v = 0; v < vectors; ++v) {
          const std::vector<float> x(all.begin() + v * columns, all.begin() + (v + 1) * columns);
          const std::vector<float> alone = multiply(made.matrix(), x, 1, nullptr, 101);
          ASSERT_EQ(std::memcmp(alone.data(), together.data() + v * 101, 101 * sizeof(float)), 0)
              << vectors << " vectors of " << columns;
        }
      }
    }
  }
}

TEST_P(Products, WidenEveryValueExactly) {
  for (const MatrixFormat format : {MatrixFormat::bfloat16, MatrixFormat::float16}) {
    Made made(format, 1, 65536, 1);
    for (std::uint32_t bits = 0; bits < 65536; ++bits) made.set(bits, bits);
    std::vector<float> wide(65536);
    widen(made.matrix(), 0, wide.data());
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const double expected = made.at(0, bits);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(wide[bits])) << bits;
      } else {
        ASSERT_EQ(double{wide[bits]}, expected) << bits;
        ASSERT_EQ(std::signbit(wide[bits]), std::signbit(expected)) << bits;
      }
    }
  }
}

TEST_P(Products, CarryDenormalsInfinitiesAndNans) {
  const std::vector<float> ones(100, 1.0F);
  for (const MatrixFormat format : kStoredFormats) {
    const bool half = format == MatrixFormat::float16;
    const std::uint32_t shift = format == MatrixFormat::float32 ? 16 : 0;
    const std::uint32_t infinity = (half ? 0x7C00U : 0x7F80U) << shift;
    for (const std::int64_t column : {0, 63, 98, 99}) {
      Made made(format, 3, 100, 6);
      for (std::int64_t c = 0; c < 100; ++c) made.set(c, 0);  // row 0: one denormal
      made.set(column, 1U << shift);
      made.set(100 + column, infinity);
      made.set(200 + column, infinity | 1U << (shift + 5));
      const std::vector<float> y = multiply(made.matrix(), ones, 1, nullptr, 3);
      EXPECT_EQ(double{y[0]}, made.at(0, column));
      EXPECT_GT(y[0], 0);
      EXPECT_EQ(y[1], std::numeric_limits<float>::infinity());
      EXPECT_TRUE(std::isnan(y[2]));
    }
  }
}

// Too many values for the second cache: worked off in pieces.
TEST_P(Products, OfLongVectors) {
  for (const MatrixFormat format : kFormats) {
    const Made made(format, 53, 5000, 9);
    const std::vector<float> x = random_vectors(45, 5000);
    const std::vector<float> y = multiply(made.matrix(), x, 45, nullptr, 50);
    expect_sums(made, x, 45, {}, y);
    const std::vector<float> last(x.end() - 5000, x.end());
    const std::vector<float> alone = multiply(made.matrix(), last, 1, nullptr, 53);
    EXPECT_EQ(std::memcmp(alone.data(), y.data() + 44 * 53, 53 * sizeof(float)), 0);
  }
}

// The row behind the one that is read must leave no trace, whatever it holds.
TEST_P(Products, ReadNoOtherRow) {
  for (const MatrixFormat format : kStoredFormats) {
    for (const std::int64_t columns : {3, 40, 65}) {
      Made made(format, 2, columns, 8);
      for (std::int64_t c = columns; c < 2 * columns; ++c) made.set(c, ~0U);
      const std::vector<float> x = random_vectors(5, columns);
      const std::vector<float> y = multiply(made.matrix(), x, 5, nullptr, 2);
      for (std::size_t v = 0; v < 5; ++v) {
        EXPECT_FALSE(std::isnan(y[2 * v]));
        EXPECT_TRUE(std::isnan(y[2 * v + 1]));
      }
    }
  }
}

TEST_P(Products, OfAnEmptyMatrix) {
  const Made none(MatrixFormat::bfloat16, 0, 8, 1);
  EXPECT_TRUE(multiply(none.matrix(), random_vectors(3, 8), 3, nullptr, 1).empty());
  const Made narrow(MatrixFormat::bfloat16, 2, 0, 1);
  const std::vector<float> bias = {1, 2};
  EXPECT_EQ(multiply(narrow.matrix(), {}, 1, bias.data(), 2), bias);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Products, testing::ValuesIn(product_kernels()),
                         [](const auto& kernel) { return kernel.param; });

TEST(ProductKernels, ThereIsAlwaysThePortableOne) {
  EXPECT_EQ(product_kernels().back(), "portable");
  EXPECT_EQ(product_kernels().front(), product_kernel());
  EXPECT_FALSE(use_product_kernel("abacus"));
}

}  // namespace
}  // namespace fineprint::nets
