// Intervals against what is known of means of random draws.
#include "fineprint/metrics/bootstrap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::metrics {
namespace {

TEST(Bootstrap, NothingHasNoMean) { EXPECT_TRUE(std::isnan(bootstrap_mean({}).mean)); }

TEST(Bootstrap, EqualValuesVaryByNothing) {
  const Interval interval = bootstrap_mean({0.25, 0.25, 0.25});
  EXPECT_EQ(interval.mean, 0.25);
  EXPECT_EQ(interval.low, 0.25);
  EXPECT_EQ(interval.high, 0.25);
}

// Of n answers, half of them right, the share of right ones is normal about 1/2 with a standard
// error of 1/2 / sqrt(n); 95% lie within 1.96 of it.
TEST(Bootstrap, AShareVariesAsItsStandardErrorSays) {
  std::vector<double> values(400);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 1;
  const Interval interval = bootstrap_mean(values);
  EXPECT_EQ(interval.mean, 0.5);
  const double half = 1.96 * 0.5 / std::sqrt(400);
  EXPECT_NEAR(interval.low, 0.5 - half, 0.005);
  EXPECT_NEAR(interval.high, 0.5 + half, 0.005);
}

TEST(Bootstrap, EveryRunDrawsAlike) {
  const std::vector<double> values = {0, 0.3, 1, 0.5, 0.5, 1, 1, 0};
  EXPECT_EQ(bootstrap_mean(values).low, bootstrap_mean(values).low);
  EXPECT_LT(bootstrap_mean(values).low, bootstrap_mean(values).high);
}

TEST(Bootstrap, MeasuresOfTheSameQuestionsAreDrawnTogether) {
  const std::vector<double> a = {0, 0.3, 1, 0.5, 0.5, 1, 1, 0}, b = {1, 1, 0, 0, 0, 1, 0.25, 0};
  const std::vector<Interval> both = bootstrap_means({a, b});
  ASSERT_EQ(both.size(), 2);
  EXPECT_EQ(both[0].low, bootstrap_mean(a).low);
  EXPECT_EQ(both[1].high, bootstrap_mean(b).high);
  EXPECT_TRUE(bootstrap_means({}).empty());
  EXPECT_TRUE(std::isnan(bootstrap_means({{}, {}}).back().low));
  EXPECT_THROW(bootstrap_means({a, {1}}), Error);
}

}  // namespace
}  // namespace fineprint::metrics
