// Uncertainty of answers, worked out by hand.
#include "fineprint/agents/uncertainty.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

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

TEST(Uncertainty, OverTheLargestValue) {
  using enum EntropyReading;
  const auto at = [](EntropyReading reading, const std::vector<TokenScore>& tokens) {
    return *uncertainty(tokens,
                        {.entropy = reading, .scale = UncertaintyScale::max, .vocabulary = 25});
  };
  // log 5 / log 25, and -p log p over 1/e: 0.1 x 2.302585 x 2.718282, a fifth of it if four of five
  // tokens are certain.
  EXPECT_NEAR(at(vocab, {{0, 0, std::log(5.0)}}), 0.5, 1e-12);
  EXPECT_NEAR(at(chosen, {{0, std::log(0.1), 9}}), 0.625908, 2e-6);
  EXPECT_NEAR(at(chosen, {{0, std::log(0.1), 9}, {}, {}, {}, {}}), 0.125182, 2e-6);
  EXPECT_NEAR(at(chosen, {{0, -1, 9}}), 1, 1e-12);
  EXPECT_THROW(at(nll, {{0, -1, 9}}), Error);
  EXPECT_THROW(uncertainty({}, {.scale = UncertaintyScale::max}), Error);
}

TEST(Uncertainty, HasALargestValue) {
  using enum EntropyReading;
  using enum UncertaintyScale;
  const auto largest = [](EntropyReading reading, UncertaintyScale scale) {
    return largest_uncertainty(
        {.entropy = reading, .scale = scale, .vocabulary = 25, .calibration = {1}});
  };
  // 1 - exp(-1/e), and 1 / (e log 25).
  EXPECT_NEAR(largest(chosen, perplexity), 0.307799, 1e-6);
  EXPECT_NEAR(largest(chosen, logv), 0.114288, 1e-6);
  EXPECT_EQ(largest(chosen, max), 1);
  EXPECT_EQ(largest(chosen, quantile), 1);
  EXPECT_EQ(largest(vocab, perplexity), 1);
  EXPECT_EQ(largest(nll, logv), 1);
  EXPECT_THROW(largest(nll, max), Error);
}

TEST(Uncertainty, ByTheLikeliestTokens) {
  // Five even tokens, and a certain one: the mean of log 5 and 0, over log 10.
  const std::vector<TokenScore> tokens = {{0, -1, 7, std::log(5.0)}, {1, 0, 7, 0}};
  const auto topm = [](const std::vector<TokenScore>& all, EntropyReading reading) {
    return uncertainty(all, {.entropy = reading, .scale = UncertaintyScale::topm});
  };
  for (const EntropyReading reading :
       {EntropyReading::vocab, EntropyReading::chosen, EntropyReading::nll}) {
    EXPECT_NEAR(*topm(tokens, reading), 0.349485, 1e-6);
  }
  EXPECT_EQ(*topm({{0, -1, 7, std::log(10.0) + 1e-9}}, EntropyReading::vocab), 1);
  EXPECT_EQ(topm({tokens[0], {1, 0, 0}}, EntropyReading::vocab), std::nullopt);
}

TEST(Uncertainty, ByTheRankAmongACalibration) {
  UncertaintyOptions options{.scale = UncertaintyScale::quantile};
  for (int i = 1; i <= 10; ++i) options.calibration.push_back(0.1 * i);
  const auto at = [&](double entropy) {
    return *uncertainty(std::vector<TokenScore>{{0, 0, entropy}}, options);
  };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(0.1), 0);
  EXPECT_EQ(at(0.15), 0.1);
  EXPECT_EQ(at(9), 1);
  // Of the ten values themselves, the two highest reach 0.8.
  int high = 0;
  for (const double value : options.calibration) high += at(value) >= 0.8 ? 1 : 0;
  EXPECT_EQ(high, 2);
  double last = 0;
  for (double entropy = 0; entropy < 1.5; entropy += 0.01) {
    EXPECT_GE(at(entropy), last);
    last = at(entropy);
    EXPECT_LE(last, 1);
  }
  // The reading is the calibration's own.
  options.entropy = EntropyReading::nll;
  EXPECT_EQ(*uncertainty(std::vector<TokenScore>{{0, -0.35, 9}}, options), 0.3);
  EXPECT_THROW(uncertainty({}, {.scale = UncertaintyScale::quantile}), Error);
}

TEST(ReadCalibration, NumbersOrStepsOfATrace) {
  const fineprint::testing::TempDir dir;
  const std::string path = dir.file("calibration.jsonl");
  write_file_atomic(path, "0.5\n\n{\"step\": \"call\", \"entropy\": 0.25}\r\n 2e0 \n0");
  EXPECT_EQ(read_calibration(path), (std::vector<double>{0, 0.25, 0.5, 2}));
}

TEST(ReadCalibration, NamesTheLineThatIsWrong) {
  const fineprint::testing::TempDir dir;
  const std::string path = dir.file("calibration.jsonl");
  for (const char* line :
       {"x", "\"1\"", "-0.1", "[1]", "{\"h\": 1}", "{\"entropy\": null}", "nan"}) {
    write_file_atomic(path, std::string("0.5\n") + line + "\n");
    try {
      read_calibration(path);
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input) << line;
      EXPECT_NE(std::string(error.what()).find("calibration.jsonl:2"), std::string::npos)
          << error.what();
    }
  }
  write_file_atomic(path, "\n");
  EXPECT_THROW(read_calibration(path), Error);
  EXPECT_THROW(read_calibration(dir.file("nowhere")), Error);
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
