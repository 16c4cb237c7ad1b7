// Tests of reliability tables.
#include "fineprint/metrics/calibration.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::metrics {
namespace {

TEST(Reliability, CountsEachPredictionInItsBin) {
  const auto bins = reliability({0.05, 0.15, 0.1, 1.0, 0.95}, {false, true, false, true, true});
  ASSERT_EQ(bins.size(), 10U);
  EXPECT_EQ(bins[0].count, 1U);
  EXPECT_EQ(bins[1].count, 2U);  // a bound belongs to the bin above it
  EXPECT_NEAR(bins[1].said, 0.125, 1e-12);
  EXPECT_NEAR(bins[1].came, 0.5, 1e-12);
  EXPECT_EQ(bins[9].count, 2U);
  EXPECT_EQ(bins[9].to, 1);
  EXPECT_EQ(bins[5].count, 0U);
}

TEST(Reliability, TakesWhatIsOutOfBoundsAtTheBound) {
  const auto bins =
      reliability({-1, 2, std::numeric_limits<double>::quiet_NaN()}, {false, true, true}, 2);
  EXPECT_EQ(bins[0].count, 2U);
  EXPECT_EQ(bins[1].count, 1U);
  EXPECT_THROW(reliability({0.5}, {}), Error);
}

TEST(CalibrationError, IsTheMeanDistance) {
  // 0.9 said of four, three came; 0.2 said of one that did not.
  const auto bins = reliability({0.9, 0.9, 0.9, 0.9, 0.2}, {true, true, true, false, false});
  EXPECT_NEAR(expected_calibration_error(bins), (4 * 0.15 + 1 * 0.2) / 5, 1e-12);
  EXPECT_TRUE(std::isnan(expected_calibration_error(reliability({}, {}))));
}

}  // namespace
}  // namespace fineprint::metrics
