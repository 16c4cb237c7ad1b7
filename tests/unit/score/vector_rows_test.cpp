// Rows in every type, by every kernel, against arithmetic written down by hand.
#include "fineprint/score/vector_rows.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/score/dense.h"

namespace fineprint::score {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// What 16 bits with so many of exponent and fraction stand for.
double value_of(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const double fraction = bits & ((1u << fraction_bits) - 1u);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * kInfinity : kNan;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

std::vector<float> decoded(const VectorRows& rows) {
  std::vector<float> values(rows.count * rows.dim);
  for (std::size_t r = 0; r < rows.count; ++r) decode_row(rows, r, values.data() + r * rows.dim);
  return values;
}

class EveryKernel : public testing::Test {
 protected:
  ~EveryKernel() override { use_kernel(""); }
};
using VectorRowsTest = EveryKernel;

TEST_F(VectorRowsTest, AllSixteenBitValuesDecodeExactly) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const VectorType type : {VectorType::f16, VectorType::bf16}) {
      const std::vector<float> values = decoded({type, all.data(), nullptr, 1, all.size()});
      const bool half = type == VectorType::f16;
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        const double expected = half ? value_of(i, 5, 10) : value_of(i, 8, 7);
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(values[i])) << kernel << " " << i;
        } else {
          ASSERT_EQ(values[i], expected) << kernel << " " << i;
          ASSERT_EQ(std::signbit(values[i]), std::signbit(expected)) << kernel << " " << i;
        }
      }
    }
  }
}

TEST_F(VectorRowsTest, AllSixteenBitValuesEncodeToThemselves) {
  std::vector<std::uint16_t> all;
  for (std::uint32_t i = 0; i < 65536; ++i) all.push_back(static_cast<std::uint16_t>(i));
  for (const VectorType type : {VectorType::f16, VectorType::bf16}) {
    const VectorRows rows{type, all.data(), nullptr, 1, all.size()};
    const std::vector<float> values = decoded(rows);
    const EncodedRows again = encode_rows(values, 1, all.size(), type);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, again.values.data() + 2 * i, 2);
      if (!std::isnan(values[i])) {
        ASSERT_EQ(bits, all[i]);
      }
    }
  }
}

// Encodes one number and decodes it.
float through(float value, VectorType type) {
  float out = 0;
  decode_row(encode_rows({&value, 1}, 1, 1, type).view(), 0, &out);
  return out;
}

TEST_F(VectorRowsTest, RoundsToNearestEven) {
  const VectorType f16 = VectorType::f16;
  EXPECT_EQ(through(1 + 0x1p-11F, f16), 1);  // halfway between 1 and the next, whose bit is odd
  EXPECT_EQ(through(1 + 3 * 0x1p-11F, f16), 1 + 0x1p-9F);
  EXPECT_EQ(through(1 + 0x1.1p-11F, f16), 1 + 0x1p-10F);
  EXPECT_EQ(through(65519.996F, f16), 65504);
  EXPECT_EQ(through(65520, f16), kInfinity);
  EXPECT_EQ(through(-1e10F, f16), -kInfinity);
  EXPECT_EQ(through(0x1p-25F, f16), 0);  // halfway to the smallest
  EXPECT_EQ(through(0x1.8p-25F, f16), 0x1p-24F);
  EXPECT_EQ(through(3 * 0x1p-25F, f16), 0x1p-23F);
  EXPECT_EQ(through(-0x1.ff8p-15F, f16), -0x1.ff8p-15F);  // the largest denormal
  EXPECT_EQ(through(-0x1.ffcp-15F, f16), -0x1p-14F);
  const VectorType bf16 = VectorType::bf16;
  EXPECT_EQ(through(1 + 0x1p-8F, bf16), 1);
  EXPECT_EQ(through(1 + 3 * 0x1p-8F, bf16), 1 + 0x1p-6F);
  EXPECT_EQ(through(std::numeric_limits<float>::max(), bf16), kInfinity);
  EXPECT_EQ(through(0x1p-133F, bf16), 0x1p-133F);
  for (const VectorType type : {VectorType::f32, f16, bf16, VectorType::i8}) {
    EXPECT_TRUE(std::isnan(through(kNan, type)));
    EXPECT_TRUE(std::isnan(through(-kNan, type)));
    EXPECT_EQ(through(0, type), 0);
  }
}

TEST_F(VectorRowsTest, CodesAreWithinHalfAStep) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (const float size : {1.0F, 1e-42F, 1e30F}) {
    std::vector<float> values(3 * 37);
    for (float& value : values) value = size * normal(random);
    values[40] = size * 50;  // the row's largest
    const EncodedRows codes = encode_rows(values, 3, 37, VectorType::i8);
    const std::vector<float> back = decoded(codes.view());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double scale = codes.scales[i / 37];
      EXPECT_LE(std::abs(double{values[i]} - back[i]), scale * 0.50002) << size << " " << i;
    }
    EXPECT_NEAR(static_cast<std::int8_t>(codes.values[40]), 127, size == 1e-42F ? 1 : 0);
    EXPECT_NEAR(codes.scales[1], size * 50 / 127, size * 1e-6F + 1e-45F);
  }
}

TEST_F(VectorRowsTest, ARowOfCodesThatCannotBeIsNan) {
  const std::vector<float> values = {1, kNan, 0, 0, kInfinity, 1, -1, 2};
  const EncodedRows codes = encode_rows(values, 4, 2, VectorType::i8);
  EXPECT_TRUE(std::isnan(codes.scales[0]));
  EXPECT_EQ(codes.scales[1], 0);
  EXPECT_TRUE(std::isnan(codes.scales[2]));
  EXPECT_FLOAT_EQ(codes.scales[3], 2.0F / 127);
  EXPECT_EQ(static_cast<std::int8_t>(codes.values[7]), 127);
  EXPECT_EQ(static_cast<std::int8_t>(codes.values[6]), -64);  // -63.5, to the even
}

TEST_F(VectorRowsTest, EveryKernelDecodesAlike) {
  std::mt19937 random(6);
  std::normal_distribution<float> normal;
  for (const std::size_t dim : {0, 1, 7, 8, 15, 16, 17, 33, 127, 128}) {
    std::vector<float> values(2 * dim);
    for (float& value : values) value = normal(random);
    for (const VectorType type :
         {VectorType::f32, VectorType::f16, VectorType::bf16, VectorType::i8}) {
      const EncodedRows rows = encode_rows(values, 2, dim, type);
      use_kernel("portable");
      const std::vector<float> expected = decoded(rows.view());
      for (const std::string& kernel : dense_kernels()) {
        use_kernel(kernel);
        EXPECT_EQ(decoded(rows.view()), expected) << kernel << " " << dim;
      }
    }
  }
}

TEST_F(VectorRowsTest, NamesBytesAndSlices) {
  EXPECT_EQ(vector_type_name(VectorType::f32), "float32");
  EXPECT_EQ(vector_type_name(VectorType::f16), "float16");
  EXPECT_EQ(vector_type_name(VectorType::bf16), "bfloat16");
  EXPECT_EQ(vector_type_name(VectorType::i8), "int8");
  EXPECT_EQ(vector_type_bytes(VectorType::f32), 4u);
  EXPECT_EQ(vector_type_bytes(VectorType::f16), 2u);
  EXPECT_EQ(vector_type_bytes(VectorType::bf16), 2u);
  EXPECT_EQ(vector_type_bytes(VectorType::i8), 1u);
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const EncodedRows codes = encode_rows(values, 3, 2, VectorType::i8);
  const VectorRows last = codes.view().slice(2, 1);
  EXPECT_EQ(last.scales, codes.scales.data() + 2);
  EXPECT_EQ(last.row(0), codes.values.data() + 4);
  EXPECT_THROW(encode_rows(values, 2, 2, VectorType::f32), Error);
}

}  // namespace
}  // namespace fineprint::score
