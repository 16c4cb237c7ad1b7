// Products with matrices in blocks of codes, against sums in float64 over the widened blocks, on
// every instruction set of the machine.
#include "nets/products/blocks/block_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/simd/instruction_set.h"
#include "fineprint/tensorfile/blocks.h"

namespace fineprint::nets {
namespace {

constexpr int kCodecs = static_cast<int>(Codec::grouped8) + 1;

std::string name_of(Codec codec) {
  if (codec == Codec::grouped4) return "grouped4";
  if (codec == Codec::grouped8) return "grouped8";
  return std::string(tensorfile::block_name(static_cast<tensorfile::BlockType>(codec)));
}

// Where a block of the codec has scales in half precision.
std::vector<std::size_t> halves_of(Codec codec) {
  switch (codec) {
    case Codec::q4_1:
    case Codec::q5_1:
    case Codec::q4_k:
    case Codec::q5_k:
      return {0, 2};
    case Codec::q2_k:
      return {80, 82};
    case Codec::q3_k:
      return {108};
    case Codec::q6_k:
      return {208};
    case Codec::mxfp4:
    case Codec::grouped4:
    case Codec::grouped8:
      return {};
    default:
      return {0};
  }
}

// Any bits are codes; scales are small numbers of either sign. The matrix ends where its memory
// does, and begins at an odd address.
class Blocks {
 public:
  Blocks(Codec codec, std::int64_t rows, std::int64_t columns, std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    matrix_.codec = codec;
    matrix_.rows = rows;
    matrix_.columns = columns;
    bytes_.resize(static_cast<std::size_t>(rows * matrix_.row_bytes()) + 1);
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(random());
    matrix_.blocks = bytes_.data() + 1;
    const auto size = static_cast<std::size_t>(codec_facts(codec).bytes);
    for (std::size_t at = 1; at < bytes_.size(); at += size) {
      for (const std::size_t place : halves_of(codec)) {
        std::uint8_t* high = bytes_.data() + at + place + 1;
        *high = static_cast<std::uint8_t>((*high & 0x83U) | 0x20U);
      }
      if (codec == Codec::mxfp4) bytes_[at] = static_cast<std::uint8_t>(118 + random() % 8);
    }
    if (halves_of(codec).empty() && codec != Codec::mxfp4) make_groups(&random);
  }

  const StoredBlocks& matrix() const { return matrix_; }
  std::vector<float> row(std::int64_t row) const {
    std::vector<float> values(static_cast<std::size_t>(matrix_.columns));
    if (matrix_.group > 0) {
      widen_groups(matrix_, row, values.data());
    } else {
      const auto size = static_cast<std::size_t>(matrix_.row_bytes());
      tensorfile::widen(static_cast<tensorfile::BlockType>(matrix_.codec),
                        {matrix_.blocks + static_cast<std::size_t>(row) * size, size}, values);
    }
    return values;
  }
  std::uint8_t* block(std::int64_t row) { return bytes_.data() + 1 + row * matrix_.row_bytes(); }

 private:
  void make_groups(std::mt19937* random) {
    matrix_.group = matrix_.columns % 64 == 0 ? 64 : 32;
    std::normal_distribution<float> normal;
    for (std::vector<float>* numbers : {&steps_, &leasts_}) {
      numbers->resize(static_cast<std::size_t>(matrix_.rows * matrix_.columns / matrix_.group));
      for (float& number : *numbers) number = normal(*random);
    }
    matrix_.steps = steps_.data();
    matrix_.leasts = leasts_.data();
  }

  StoredBlocks matrix_;
  std::vector<std::uint8_t> bytes_;
  std::vector<float> steps_, leasts_;
};

std::vector<float> random_values(std::int64_t count) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> x(static_cast<std::size_t>(count));
  for (float& value : x) value = normal(random);
  return x;
}

// In stretches of `step` panels.
std::vector<float> multiply(const StoredBlocks& weight, const float* x, std::int64_t vectors,
                            const float* bias, std::int64_t step) {
  const auto size = static_cast<std::size_t>(quantised_size(weight.codec, vectors, weight.columns));
  std::vector<std::uint8_t> room(size + 64, 0xFF);
  std::uint8_t* codes = room.data();
  while (reinterpret_cast<std::uintptr_t>(codes) % 64 != 0) ++codes;
  for (std::int64_t group = 0; group < quantised_groups(vectors); ++group) {
    quantise_vectors(weight.codec, x, vectors, weight.columns, group, group + 1, codes);
  }
  std::vector<float> y(static_cast<std::size_t>(vectors * weight.rows), -99.0F);
  const BlockProduct product = {weight, codes, vectors, bias, y.data()};
  const std::int64_t panels = block_panels(weight.rows);
  for (std::int64_t begin = 0; begin < panels; begin += step) {
    multiply_panels(product, begin, std::min(panels, begin + step));
  }
  return y;
}

// How far a result may be off: rounding moves no value of x by more than a 254th part of the
// largest one in its run of 32.
double most_off(const std::vector<float>& row, const float* x) {
  double off = 0;
  for (std::size_t begin = 0; begin < row.size(); begin += 32) {
    double largest = 0, weights = 0;
    for (std::size_t i = begin; i < begin + 32; ++i) {
      largest = std::max(largest, std::abs(double{x[i]}));
      weights += std::abs(double{row[i]});
    }
    off += largest / 254 * weights;
  }
  return off;
}

class BlockProducts : public testing::TestWithParam<int> {
 protected:
  ~BlockProducts() override { simd::limit_to(""); }
  Codec codec() const { return static_cast<Codec>(GetParam()); }
  std::int64_t columns(std::int64_t blocks) const { return blocks * codec_facts(codec()).values; }
};

TEST_P(BlockProducts, EqualSumsInFloat64ButForTheRoundingOfVectors) {
  for (const std::string& kernel : block_kernels()) {
    ASSERT_TRUE(simd::limit_to(kernel));
    for (const auto& [rows, blocks] : {std::pair{16, 1}, {17, 3}, {53, 19}, {66, 5}}) {
      const Blocks weight(codec(), rows, columns(blocks));
      const std::int64_t wide = columns(blocks);
      const std::vector<float> bias = random_values(rows);
      for (const std::int64_t vectors : {1, 2, 7, 13, 30}) {
        const std::vector<float> x = random_values(vectors * wide);
        const std::vector<float> y = multiply(weight.matrix(), x.data(), vectors, bias.data(), 2);
        double squares = 0, error = 0;
        for (std::int64_t r = 0; r < rows; ++r) {
          const std::vector<float> row = weight.row(r);
          for (std::int64_t v = 0; v < vectors; ++v) {
            double sum = bias[static_cast<std::size_t>(r)];
            const float* vector = x.data() + v * wide;
            for (std::size_t c = 0; c < row.size(); ++c) sum += double{row[c]} * vector[c];
            const double off = y[static_cast<std::size_t>(v * rows + r)] - sum;
            ASSERT_LE(std::abs(off), 1.01 * most_off(row, vector) + 1e-4)
                << name_of(codec()) << " " << kernel << ": " << rows << " x " << wide << ", row "
                << r << ", vector " << v << " of " << vectors;
            squares += sum * sum;
            error += off * off;
          }
        }
        // Errors of normal values cancel out for the most part.
        if (rows * wide * vectors > 20000) {
          EXPECT_LT(std::sqrt(error / squares), 0.01) << name_of(codec()) << " " << kernel;
        }
      }
    }
  }
}

// Values that need no rounding leave only that of sums.
TEST_P(BlockProducts, AreExactForVectorsThatAreCodes) {
  for (const std::string& kernel : block_kernels()) {
    ASSERT_TRUE(simd::limit_to(kernel));
    const Blocks weight(codec(), 37, columns(5));
    std::vector<float> x = random_values(3 * columns(5));
    for (float& value : x) value = std::clamp(std::nearbyint(value * 40), -127.0F, 127.0F);
    for (std::size_t i = 0; i < x.size(); i += 32) x[i] = 127;
    const std::vector<float> y = multiply(weight.matrix(), x.data(), 3, nullptr, 1);
    for (std::int64_t r = 0; r < 37; ++r) {
      const std::vector<float> row = weight.row(r);
      for (std::int64_t v = 0; v < 3; ++v) {
        double sum = 0, size = 0;
        for (std::size_t c = 0; c < row.size(); ++c) {
          const double term = double{row[c]} * x[static_cast<std::size_t>(v) * row.size() + c];
          sum += term;
          size += std::abs(term);
        }
        // A code's products are rounded as often as there are runs, two sums each.
        EXPECT_NEAR(y[static_cast<std::size_t>(v * 37 + r)], sum, 3e-6 * (size + 1))
            << name_of(codec()) << " " << kernel << ": row " << r;
      }
    }
  }
}

TEST_P(BlockProducts, OfAVectorDoNotDependOnItsCompanyOrTheStretches) {
  for (const std::string& kernel : block_kernels()) {
    ASSERT_TRUE(simd::limit_to(kernel));
    const std::int64_t wide = columns(codec_facts(codec()).values == 32 ? 83 : 11), rows = 163;
    const Blocks weight(codec(), rows, wide);
    const std::int64_t vectors = 201;  // more than share one reading of the matrix
    const std::vector<float> x = random_values(vectors * wide);
    const std::vector<float> all = multiply(weight.matrix(), x.data(), vectors, nullptr, 11);
    for (const auto& [first, count] : {std::pair{0, 1}, {200, 1}, {77, 5}, {50, 26}, {0, 200}}) {
      const std::vector<float> y =
          multiply(weight.matrix(), x.data() + first * wide, count, nullptr, 3);
      EXPECT_EQ(std::memcmp(y.data(), all.data() + first * rows, y.size() * sizeof(float)), 0)
          << name_of(codec()) << " " << kernel << ": " << count << " from " << first << " on";
    }
  }
}

// Codes' products are whole numbers, and runs are added up in one order.
TEST_P(BlockProducts, AreTheSameOnEveryInstructionSetWithFusedSums) {
  const Blocks weight(codec(), 40, columns(9));
  const std::vector<float> x = random_values(4 * columns(9));
  std::vector<float> first;
  for (const std::string& kernel : block_kernels()) {
    if (kernel == "portable") continue;
    ASSERT_TRUE(simd::limit_to(kernel));
    const std::vector<float> y = multiply(weight.matrix(), x.data(), 4, nullptr, 3);
    if (first.empty()) first = y;
    EXPECT_EQ(y, first) << name_of(codec()) << " " << kernel;
  }
}

TEST_P(BlockProducts, OfTheLargestCodesDoNotOverflow) {
  for (const std::string& kernel : block_kernels()) {
    ASSERT_TRUE(simd::limit_to(kernel));
    for (const int byte : {0x00, 0xFF, 0x80, 0x7F}) {
      Blocks weight(codec(), 16, columns(2));
      std::fill_n(weight.block(0), weight.matrix().row_bytes(), static_cast<std::uint8_t>(byte));
      const auto size = static_cast<std::size_t>(codec_facts(codec()).bytes);
      for (std::size_t at = 0; at < 2 * size; at += size) {
        for (const std::size_t place : halves_of(codec())) {
          std::memcpy(weight.block(0) + at + place, "\x00\x3C", 2);  // 1 in half precision
        }
        if (codec() == Codec::mxfp4) weight.block(0)[at] = 120;
      }
      for (const float value : {127.0F, -127.0F}) {
        const std::vector<float> x(static_cast<std::size_t>(columns(2)), value);
        const std::vector<float> row = weight.row(0);
        double sum = 0;
        for (const float one : row) sum += double{one} * value;
        const std::vector<float> y = multiply(weight.matrix(), x.data(), 1, nullptr, 1);
        EXPECT_NEAR(y[0], sum, 1e-5 * std::abs(sum) + 1e-3)
            << name_of(codec()) << " " << kernel << ", " << byte << " times " << value;
      }
    }
  }
}

TEST_P(BlockProducts, OfWhatIsNoNumberAreNone) {
  for (const std::string& kernel : block_kernels()) {
    ASSERT_TRUE(simd::limit_to(kernel));
    const Blocks weight(codec(), 16, columns(2));
    const auto wide = static_cast<std::size_t>(columns(2));
    for (const float wrong : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      std::vector<float> x = random_values(2 * columns(2));
      x[wide + 3] = wrong;
      const std::vector<float> y = multiply(weight.matrix(), x.data(), 2, nullptr, 1);
      for (std::size_t r = 0; r < 16; ++r) {
        EXPECT_TRUE(std::isfinite(y[r])) << name_of(codec()) << " " << kernel;
        EXPECT_FALSE(std::isfinite(y[16 + r])) << name_of(codec()) << " " << kernel;
      }
    }
  }
}

TEST_P(BlockProducts, OfNothingAndOfDenormalsAreTheBias) {
  for (const std::string& kernel : block_kernels()) {
    ASSERT_TRUE(simd::limit_to(kernel));
    const Blocks weight(codec(), 19, columns(1));
    const std::vector<float> bias = random_values(19);
    for (const float value : {0.0F, 1e-42F}) {
      const std::vector<float> x(static_cast<std::size_t>(columns(1)), value);
      EXPECT_EQ(multiply(weight.matrix(), x.data(), 1, bias.data(), 1), bias)
          << name_of(codec()) << " " << kernel;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, BlockProducts, testing::Range(0, kCodecs),
                         [](const testing::TestParamInfo<int>& one) {
                           return name_of(static_cast<Codec>(one.param));
                         });

TEST(BlockCodecs, WidenGroupsByTheirDefinition) {
  const std::vector<float> steps = {0.5F, 2.0F}, leasts = {1.0F, -3.0F};
  std::vector<std::uint8_t> bytes(64);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(3 * i);
  std::vector<float> row(64);
  widen_groups({Codec::grouped8, bytes.data(), 1, 64, steps.data(), leasts.data(), 32}, 0,
               row.data());
  EXPECT_EQ(row[0], 0.5F * -128 + 1);
  EXPECT_EQ(row[63], 2.0F * (3 * 63 - 128) - 3);
  widen_groups({Codec::grouped4, bytes.data(), 1, 64, steps.data(), leasts.data(), 32}, 0,
               row.data());
  EXPECT_EQ(row[7], 0.5F * (21 & 15) + 1);       // a low nibble
  EXPECT_EQ(row[16 + 7], 0.5F * (21 >> 4) + 1);  // the high one beside it
  EXPECT_EQ(row[32 + 7], 2.0F * (69 & 15) - 3);
}

}  // namespace
}  // namespace fineprint::nets
