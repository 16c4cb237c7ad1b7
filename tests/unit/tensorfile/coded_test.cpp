// Codes widened as the references do, bit by bit (see scripts/golden/coded_weights.py), and arrays
// that do not fit together.
#include "fineprint/tensorfile/coded.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/has.h"

namespace fineprint::tensorfile {
namespace {

using testing::has;

constexpr std::int64_t kRows = 72, kColumns = 96;

struct Case {
  const char* name;
  CodedMatrix facts;
  const char *codes, *scales, *zeros, *groups;
};

CodedMatrix facts(CodeLayout layout, int bits, std::int64_t block_rows, std::int64_t block_columns,
                  bool less_one = false) {
  CodedMatrix matrix;
  matrix.layout = layout;
  matrix.bits = bits;
  matrix.rows = kRows;
  matrix.columns = kColumns;
  matrix.block_rows = block_rows;
  matrix.block_columns = block_columns;
  matrix.zeros_less_one = less_one;
  return matrix;
}

std::vector<Case> all_cases() {
  using enum CodeLayout;
  const char *packed_codes = "weight_packed", *scale = "weight_scale", *zero = "weight_zero_point";
  return {
      {"awq", facts(awq, 4, 1, 32), "qweight", "scales", "qzeros", nullptr},
      {"gptq", facts(gptq, 4, 1, 32, true), "qweight", "scales", "qzeros", "g_idx"},
      {"gptq_order", facts(gptq, 4, 1, 32, true), "qweight", "scales", "qzeros", "g_idx"},
      {"gptq_v2_8", facts(gptq, 8, 1, 96), "qweight", "scales", "qzeros", "g_idx"},
      {"packed", facts(packed, 4, 1, 32), packed_codes, scale, nullptr, nullptr},
      {"packed_zeros", facts(packed, 4, 1, 48), packed_codes, scale, zero, nullptr},
      {"packed_order", facts(packed, 4, 1, 32), packed_codes, scale, zero, "weight_g_idx"},
      {"packed_8", facts(packed, 8, 1, 96), packed_codes, scale, nullptr, nullptr},
      {"int8", facts(int8, 8, 1, 96), "weight", scale, nullptr, nullptr},
      {"int8_zeros", facts(int8, 8, 1, 96), "weight", scale, zero, nullptr},
      {"fp8_tensor", facts(fp8, 8, 72, 96), "weight", scale, nullptr, nullptr},
      {"fp8_channel", facts(fp8, 8, 1, 96), "weight", scale, nullptr, nullptr},
      {"fp8_block", facts(fp8, 8, 64, 40), "weight", scale, nullptr, nullptr},
      {"fp8_inverse", facts(fp8, 8, 32, 64), "weight", "weight_scale_inv", nullptr, nullptr},
  };
}

// The golden file, and matrices in it.
class Golden {
 public:
  CodedMatrix matrix(const Case& of) const {
    CodedMatrix matrix = of.facts;
    const std::string stem = std::string(of.name) + ".";
    matrix.codes = reader_.at(stem + of.codes);
    matrix.scales = reader_.at(stem + of.scales);
    if (of.zeros != nullptr) matrix.zeros = reader_.at(stem + of.zeros);
    if (of.groups != nullptr) matrix.groups = reader_.at(stem + of.groups);
    return matrix;
  }
  CodedMatrix matrix(std::string_view name) const {
    for (const Case& of : all_cases()) {
      if (of.name == name) return matrix(of);
    }
    throw std::runtime_error("no such case");
  }
  std::vector<float> values(const std::string& name) const {
    const TensorView& view = reader_.at(name + ".values");
    std::vector<float> values(view.bytes.size() / sizeof(float));
    std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
    return values;
  }

 private:
  SafetensorsReader reader_{FINEPRINT_TEST_GOLDEN "/coded.safetensors"};
};

std::vector<float> widened(const CodedMatrix& matrix) {
  std::vector<float> values(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (std::int64_t first = 0; first < matrix.rows; first += kCodedRows) {
    const std::int64_t rows = std::min(kCodedRows, matrix.rows - first);
    widen(matrix, first,
          std::span(values).subspan(static_cast<std::size_t>(first * matrix.columns),
                                    static_cast<std::size_t>(rows * matrix.columns)));
  }
  return values;
}

TEST(Coded, AreWidenedAsByTheReference) {
  const Golden golden;
  for (const Case& of : all_cases()) {
    const CodedMatrix matrix = golden.matrix(of);
    EXPECT_EQ(problem_of(matrix), "") << of.name;
    EXPECT_TRUE(scales_are_finite(matrix)) << of.name;
    const std::vector<float> expected = golden.values(of.name), values = widened(matrix);
    ASSERT_EQ(values.size(), expected.size());
    int different = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool same =
          std::bit_cast<std::uint32_t>(values[i]) == std::bit_cast<std::uint32_t>(expected[i]);
      if (!same && different++ == 0) {
        ADD_FAILURE() << of.name << " value " << i << ": " << values[i] << " for " << expected[i];
      }
    }
    EXPECT_EQ(different, 0) << of.name;
  }
}

// scale * (code - zero), as products take them.
TEST(Coded, RowsOfCodesStandForTheSameValues) {
  const Golden golden;
  int grouped = 0;
  for (const Case& of : all_cases()) {
    const CodedMatrix matrix = golden.matrix(of);
    if (!is_grouped(matrix)) continue;
    ++grouped;
    const std::vector<float> expected = golden.values(of.name);
    const std::int64_t rows = kRows - kCodedRows, groups = groups_of(matrix);
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(rows * kColumns));
    std::vector<float> scales(static_cast<std::size_t>(rows * groups)), zeros(scales.size());
    take_rows(matrix, kCodedRows, {codes, scales, zeros});
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::size_t row = i / kColumns, column = i % kColumns;
      const std::size_t group = row * static_cast<std::size_t>(groups) +
                                column / static_cast<std::size_t>(matrix.block_columns);
      ASSERT_EQ((static_cast<float>(codes[i]) - zeros[group]) * scales[group],
                expected[static_cast<std::size_t>(kCodedRows * kColumns) + i])
          << of.name << " " << i;
    }
    EXPECT_THROW(take_rows(matrix, kCodedRows, {codes, scales, std::span(zeros).first(1)}), Error);
  }
  // All but two orders of columns, groups of 48, and four in FP8.
  EXPECT_EQ(grouped, 7);
}

TEST(Coded, OnlyBandsAreWidened) {
  const Golden golden;
  const CodedMatrix matrix = golden.matrix("awq");
  std::vector<float> values(static_cast<std::size_t>(kRows * kColumns));
  const auto rows = [&](std::int64_t count) {
    return std::span(values).first(static_cast<std::size_t>(count * kColumns));
  };
  widen(matrix, 0, rows(64));
  widen(matrix, 64, rows(8));
  EXPECT_THROW(widen(matrix, 0, rows(72)), Error);
  EXPECT_THROW(widen(matrix, 8, rows(64)), Error);
  EXPECT_THROW(widen(matrix, 0, rows(8)), Error);
  EXPECT_THROW(widen(matrix, 64, rows(9)), Error);
  EXPECT_THROW(widen(matrix, 64, rows(8).first(100)), Error);
}

TEST(Coded, ArraysThatDoNotFitAreNamed) {
  const Golden golden;
  struct Damage {
    const char* name;
    std::function<void(CodedMatrix&)> change;
    const char* problem;
  };
  std::vector<std::int32_t> groups(kColumns);
  const auto column_in = [&](std::size_t column, std::int32_t group) {
    return [&groups, column, group](CodedMatrix& matrix) {
      std::ranges::fill(groups, 2);
      groups[column] = group;
      matrix.groups->bytes = {reinterpret_cast<const std::uint8_t*>(groups.data()),
                              groups.size() * sizeof(std::int32_t)};
    };
  };
  const std::vector<Damage> damages{
      {"awq", [](auto& m) { m.bits = 8; }, "unsupported codes of 8 bits"},
      {"gptq", [](auto& m) { m.bits = 3; }, "unsupported codes of 3 bits"},
      {"packed", [](auto& m) { m.bits = 0; }, "unsupported codes of 0 bits"},
      {"awq", [](auto& m) { m.rows = 71; }, "not a multiple of the 8 codes"},
      {"gptq", [](auto& m) { m.columns = 97; }, "not a multiple of the 8 codes"},
      {"gptq", [](auto& m) { m.rows = 0; }, "which is not a valid shape"},
      {"packed", [](auto& m) { m.columns = -1; }, "which is not a valid shape"},
      {"packed", [](auto& m) { m.rows = std::int64_t{1} << 40; }, "which is not a valid shape"},
      {"packed", [](auto& m) { m.block_columns = 0; }, "which is not a valid size"},
      {"fp8_block", [](auto& m) { m.block_rows = -64; }, "which is not a valid size"},
      {"awq", [](auto& m) { m.rows = 64; }, "'awq.qweight' has shape [96, 9], but needs [96, 8]"},
      {"gptq", [](auto& m) { m.columns = 64; }, "'gptq.qweight' has shape [12, 72]"},
      {"packed", [](auto& m) { m.columns = 97; }, "needs [72, 13]"},
      {"int8", [](auto& m) { m.rows = 71; }, "needs [71, 96]"},
      {"awq", [](auto& m) { m.block_columns = 48; }, "'awq.scales' has shape [3, 72]"},
      {"packed", [](auto& m) { m.block_columns = 64; }, "'packed.weight_scale'"},
      {"fp8_block", [](auto& m) { m.block_rows = 128; }, "needs [1, 3]"},
      {"fp8_inverse", [](auto& m) { m.block_columns = 32; }, "needs [3, 3]"},
      {"fp8_tensor", [](auto& m) { m.block_rows = 1; }, "'fp8_tensor.weight_scale'"},
      {"awq", [](auto& m) { m.zeros->shape = {3, 8}; }, "'awq.qzeros'"},
      {"gptq", [](auto& m) { m.zeros->shape = {9, 3}; }, "'gptq.qzeros'"},
      {"packed_zeros", [](auto& m) { m.zeros->shape = {72, 2}; }, "needs [9, 2]"},
      {"int8_zeros", [](auto& m) { m.zeros->shape = {72, 2}; }, "needs [72, 1]"},
      {"gptq", [](auto& m) { m.groups->shape = {95}; }, "'gptq.g_idx'"},
      {"gptq_order", column_in(95, -1), "assigns column 95 to group -1 of 3"},
      {"packed_order", column_in(0, 3), "assigns column 0 to group 3 of 3"},
      {"awq", [](auto& m) { m.codes.dtype = Dtype::f32; }, "has dtype F32, but needs I32"},
      {"int8", [](auto& m) { m.codes.dtype = Dtype::u8; }, "has dtype U8, but needs I8"},
      {"fp8_channel", [](auto& m) { m.codes.dtype = Dtype::i8; }, "needs F8_E4M3"},
      {"awq", [](auto& m) { m.scales.dtype = Dtype::i16; }, "needs F16 or BF16 or F32"},
      {"awq", [](auto& m) { m.zeros->dtype = Dtype::f32; }, "'awq.qzeros' has dtype F32"},
      {"int8_zeros", [](auto& m) { m.zeros->dtype = Dtype::i32; }, "needs I8"},
      {"gptq", [](auto& m) { m.groups->dtype = Dtype::f32; }, "'gptq.g_idx' has dtype F32"},
  };
  for (const Damage& damage : damages) {
    CodedMatrix matrix = golden.matrix(damage.name);
    damage.change(matrix);
    const std::string problem = problem_of(matrix);
    EXPECT_TRUE(has(problem, damage.problem)) << damage.name << ": " << problem;
  }
}

// Infinities, numbers that are none, and scales whose largest value overflows.
TEST(Coded, ScalesThatAreNoneAreNoticed) {
  using Limits = std::numeric_limits<float>;
  CodedMatrix matrix = Golden().matrix("fp8_tensor");
  const auto finite = [&](float scale) {
    matrix.scales.bytes = {reinterpret_cast<const std::uint8_t*>(&scale), sizeof scale};
    return scales_are_finite(matrix);
  };
  EXPECT_TRUE(finite(0));
  EXPECT_TRUE(finite(-7.5e35F));
  EXPECT_FALSE(finite(7.7e35F));
  EXPECT_FALSE(finite(Limits::infinity()));
  EXPECT_FALSE(finite(-Limits::infinity()));
  EXPECT_FALSE(finite(Limits::quiet_NaN()));
}

TEST(Coded, SayWhatTheyAre) {
  const Golden golden;
  EXPECT_EQ(coded_name(golden.matrix("awq")), "AWQ 4 bits");
  EXPECT_EQ(coded_name(golden.matrix("gptq_v2_8")), "GPTQ 8 bits");
  EXPECT_EQ(coded_name(golden.matrix("packed")), "INT4");
  EXPECT_EQ(coded_name(golden.matrix("int8")), "INT8");
  EXPECT_EQ(coded_name(golden.matrix("fp8_block")), "FP8");
  // Codes, scales in F16, zeros in words, and the group of each column.
  EXPECT_EQ(stored_bytes(golden.matrix("gptq")), 72 * 96 / 2 + 3 * 72 * 2 + 3 * 72 / 2 + 96 * 4);
}

}  // namespace
}  // namespace fineprint::tensorfile
