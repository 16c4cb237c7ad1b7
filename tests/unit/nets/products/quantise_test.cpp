// Tests of matrices as codes of eight bits: their errors and their edges.
#include "nets/products/quantise.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

struct Codes {
  std::vector<std::int8_t> codes;
  std::vector<float> scales;
  QuantisationLoss loss;
};

Codes quantise(const std::vector<float>& values, std::int64_t rows) {
  const std::int64_t columns = static_cast<std::int64_t>(values.size()) / rows;
  Codes result;
  result.codes.assign(static_cast<std::size_t>(rows * quantised_columns(columns)), 99);
  result.scales.assign(result.codes.size() / kCodesPerScale, -1);
  const StoredMatrix from = {MatrixFormat::float32, values.data(), rows, columns, columns, nullptr};
  result.loss = quantise_rows(from, 0, rows, result.codes.data(), result.scales.data());
  return result;
}

TEST(Quantise, KnownGroup) {
  const Codes made = quantise({-2.54F, 1.27F, 0.0F, 0.02F, 0.011F, 0.0099F}, 1);
  EXPECT_FLOAT_EQ(made.scales[0], 0.02F);
  const std::vector<std::int8_t> expected = {-127, 64, 0, 1, 1, 0};
  // 1.27 / 0.02 = 63.5 and 0.011 / 0.02 = 0.55.
  EXPECT_NEAR(made.codes[1], 63.5, 0.5);
  for (const std::size_t i : {0U, 2U, 3U, 4U, 5U}) EXPECT_EQ(made.codes[i], expected[i]) << i;
  for (std::size_t i = 6; i < 64; ++i) EXPECT_EQ(made.codes[i], 0);
}

TEST(Quantise, NoValueIsOffByMoreThanHalfAScale) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(7 * 130);
  for (float& value : values) value = normal(random);
  const Codes made = quantise(values, 7);
  double errors = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t at = i / 130 * 192 + i % 130;
    const float scale = made.scales[at / 64];
    const double error = double{static_cast<float>(made.codes[at]) * scale} - values[i];
    EXPECT_LE(std::abs(error), 0.5001 * scale);
    errors += error * error;
  }
  EXPECT_NEAR(made.loss.squared_error, errors, 1e-9);
}

// Of normal weights, half a percent: the largest of 64 is at 2.4 deviations, a step is 2.4 / 127 of
// one, and rounding to it costs step / sqrt(12).
TEST(Quantise, LossOfNormalWeights) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> values(64 * 2048);
  for (float& value : values) value = normal(random);
  const Codes made = quantise(values, 64);
  EXPECT_NEAR(std::sqrt(made.loss.squared_error / made.loss.squares), 0.0056, 0.0003);
}

TEST(Quantise, GroupsOfNothing) {
  const Codes zeros = quantise(std::vector<float>(64, 0.0F), 1);
  EXPECT_EQ(zeros.scales[0], 0);
  EXPECT_EQ(zeros.codes[5], 0);
  const Codes tiny = quantise(std::vector<float>(64, 1e-40F), 1);
  EXPECT_EQ(tiny.scales[0], 0);
  EXPECT_EQ(tiny.codes[5], 0);
  const Codes large = quantise(std::vector<float>(64, -3e38F), 1);
  EXPECT_EQ(large.codes[5], -127);
  EXPECT_TRUE(std::isfinite(large.scales[0] * 127));
}

}  // namespace
}  // namespace fineprint::nets
