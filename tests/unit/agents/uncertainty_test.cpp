// Uncertainty of answers, worked out by hand.
#include "fineprint/agents/uncertainty.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::agents {
namespace {

using models::TokenScore;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double value(const std::vector<TokenScore>& tokens, EntropyReading reading) {
  return mean_entropy(tokens, reading).value_or(-1);
}

TEST(MeanEntropy, KnownReadings) {
  // Fair coins: entropy log 2; the written side has p = 1/2.
  const std::vector<TokenScore> coin = {{0, -std::log(2.0), std::log(2.0)}};
  EXPECT_NEAR(value(coin, EntropyReading::vocab), 0.693147, 1e-6);
  EXPECT_NEAR(value(coin, EntropyReading::chosen), 0.346574, 1e-6);
  EXPECT_NEAR(value(coin, EntropyReading::nll), 0.693147, 1e-6);
  // Beside a certain token, the half of that.
  const std::vector<TokenScore> two = {coin[0], {1, 0, 0}};
  EXPECT_NEAR(value(two, EntropyReading::vocab), 0.346574, 1e-6);
  EXPECT_NEAR(value(two, EntropyReading::chosen), 0.173287, 1e-6);
  EXPECT_NEAR(value(two, EntropyReading::nll), 0.346574, 1e-6);
}

TEST(MeanEntropy, ChosenPeaksAtOneOverE) {
  const auto at = [](double p) { return value({{0, std::log(p), 0}}, EntropyReading::chosen); };
  EXPECT_NEAR(at(std::exp(-1.0)), std::exp(-1.0), 1e-12);
  EXPECT_LT(at(0.3), at(std::exp(-1.0)));
  EXPECT_LT(at(0.5), at(std::exp(-1.0)));
  EXPECT_EQ(at(0), 0);
}

TEST(Uncertainty, Scales) {
  const std::vector<TokenScore> five = {{0, std::log(0.2), std::log(5.0)}};
  EXPECT_NEAR(*uncertainty(five), 0.8, 1e-12);
  EXPECT_NEAR(*uncertainty(five, {.scale = UncertaintyScale::logv, .vocabulary = 25}), 0.5, 1e-12);
  EXPECT_EQ(*uncertainty(five, {.scale = UncertaintyScale::logv, .vocabulary = 2}), 1);
  EXPECT_EQ(*uncertainty(std::vector<TokenScore>{{0, 0, 0}}), 0);
  EXPECT_EQ(*uncertainty(std::vector<TokenScore>{{0, 1e-12, -1e-12}}), 0);
  EXPECT_EQ(*uncertainty(std::vector<TokenScore>{{0, -std::numeric_limits<double>::infinity(), 0}},
                         {.entropy = EntropyReading::nll}),
            1);
  EXPECT_THROW(uncertainty(five, {.scale = UncertaintyScale::logv}), Error);
}

TEST(Uncertainty, NothingToJudgeBy) {
  EXPECT_EQ(uncertainty({}), std::nullopt);
  const std::vector<TokenScore> untold = {{-1, -0.1, 0.2}, {-1, -0.1, kNaN}};
  EXPECT_EQ(uncertainty(untold), std::nullopt);
  EXPECT_TRUE(uncertainty(untold, {.entropy = EntropyReading::nll}).has_value());
  EXPECT_EQ(
      uncertainty(std::vector<TokenScore>{{-1, kNaN, 0.1}}, {.entropy = EntropyReading::chosen}),
      std::nullopt);
}

}  // namespace
}  // namespace fineprint::agents
