// Tests of computing with figures.
#include "evidence/arithmetic.h"

#include <gtest/gtest.h>

namespace fineprint::evidence {
namespace {

using models::QaOperator;

std::string computed(QaOperator operation, const std::vector<Figure>& figures,
                     bool percent = false) {
  const auto value = compute(operation, figures, percent);
  return value ? value->text + " = " + value->derivation : "none";
}

TEST(ArithmeticTest, AsManyDigitsAsTheFiguresHave) {
  const Figure a{0.1, 1, "0.1"}, b{0.25, 2, "0.25"}, c{-3, 0, "-3"};
  EXPECT_EQ(computed(QaOperator::sum, {a, b}), "0.35 = 0.1 + 0.25");
  EXPECT_EQ(computed(QaOperator::sum, {c, c}), "-6 = -3 + (-3)");
  EXPECT_EQ(computed(QaOperator::difference, {b, c}), "3.25 = 0.25 - (-3)");
  EXPECT_EQ(computed(QaOperator::difference, {a, a}), "0 = 0.1 - 0.1");
}

TEST(ArithmeticTest, QuotientsHaveTwoDigitsMore) {
  const Figure one{1, 0, "1"}, three{3, 0, "3"}, many{4000, 0, "4,000"}, zero{0, 0, "0"};
  EXPECT_EQ(computed(QaOperator::average, {one, three, three}), "2.33 = (1 + 3 + 3) / 3");
  EXPECT_EQ(computed(QaOperator::ratio, {one, three}), "0.33 = 1 / 3");
  EXPECT_EQ(computed(QaOperator::ratio, {three, many}), "0.00075 = 3 / 4,000");
  EXPECT_EQ(computed(QaOperator::ratio, {one, three}, true), "33.33 = 1 / 3");
  EXPECT_EQ(computed(QaOperator::change, {one, three}, true), "-66.67 = (1 - 3) / 3");
  EXPECT_EQ(computed(QaOperator::change, {one, zero}, true), "none");
  EXPECT_EQ(computed(QaOperator::ratio, {zero, one}), "0 = 0 / 1");
}

TEST(ArithmeticTest, ScalesFigures) {
  const Figure scaled_down = scaled({-900, 0, "-900"}, 1e-3);
  EXPECT_EQ(scaled_down.shown, "-0.9");
  EXPECT_EQ(scaled_down.decimals, 3);
  EXPECT_EQ(scaled({1.25, 2, "1.25"}, 1e3).shown, "1250");
}

}  // namespace
}  // namespace fineprint::evidence
