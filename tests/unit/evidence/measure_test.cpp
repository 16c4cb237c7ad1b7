// Tests of what is said of figures around them.
#include "evidence/measure.h"

#include <gtest/gtest.h>

#include "unit/evidence/readings.h"

namespace fineprint::evidence {
namespace {

using models::QaScale;

std::optional<QaScale> scale_of(const models::QaPassage& passage, int row, int column) {
  const auto measure = measure_of(passage, {row, column});
  return measure ? std::optional(measure->scale) : std::nullopt;
}

TEST(MeasureTest, TheNearestStatementCounts) {
  const auto passage = table({{"(in thousands)", "2019 $m", "Growth %"},
                              {"Net sales", "1,500", "3.1"},
                              {"Gross margin (%)", "31.0", "0.4"},
                              {"Cash, billion dollars", "1.2", "(7)"},
                              {"5% notes", "80", "2 million"},
                              {"Number of shops", "12", "n/a"}},
                             "in millions of euros");
  EXPECT_EQ(scale_of(passage, 1, 1), QaScale::million);
  EXPECT_EQ(measure_of(passage, {1, 1})->currency, "$");
  EXPECT_EQ(scale_of(passage, 1, 2), QaScale::percent);
  EXPECT_EQ(scale_of(passage, 2, 1), QaScale::percent);
  EXPECT_EQ(scale_of(passage, 3, 1), QaScale::billion);
  EXPECT_EQ(scale_of(passage, 4, 1), QaScale::million);
  EXPECT_EQ(scale_of(passage, 4, 2), QaScale::million);
  EXPECT_EQ(scale_of(passage, 5, 1), QaScale::none);
}

TEST(MeasureTest, HeadsOfOtherColumnsAndRowsWithoutFiguresCount) {
  EXPECT_EQ(scale_of(table({{"(in thousands)", "2019"}, {"Net sales", "5"}}), 1, 1),
            QaScale::thousand);
  EXPECT_EQ(scale_of(table({{"", "2019"}, {"Dollars in millions", ""}, {"Net sales", "5"}}), 2, 1),
            QaScale::million);
  // A row above with figures speaks of itself.
  EXPECT_EQ(scale_of(table({{"", "2019"}, {"Cash (in thousands)", "7"}, {"Shops", "5"}}), 2, 1),
            std::nullopt);
}

TEST(MeasureTest, ThenTheContext) {
  EXPECT_EQ(scale_of(table({{"", "2019"}, {"Net sales", "5"}}, "US$ million"), 1, 1),
            QaScale::million);
  EXPECT_EQ(scale_of(table({{"", "2019"}, {"Steel", "5"}}, "Shares by material (%)"), 1, 1),
            QaScale::percent);
  EXPECT_EQ(scale_of(table({{"", "2019"}, {"Net sales", "5"}}, "Income"), 1, 1), std::nullopt);
}

TEST(MeasureTest, OfTextsWhatStandsBeside) {
  const auto scale_at = [](const std::string& text, std::uint32_t begin) {
    const auto measure = measure_of(sentences(text), {-1, -1, begin, begin + 1});
    return measure ? std::optional(measure->scale) : std::nullopt;
  };
  EXPECT_EQ(scale_at("It grew 5 per cent", 8), QaScale::percent);
  EXPECT_EQ(scale_at("It paid $5", 9), QaScale::none);
  EXPECT_EQ(scale_at("It paid $5m", 9), QaScale::million);
  EXPECT_EQ(scale_at("It is 5 m long", 6), std::nullopt);
  EXPECT_EQ(scale_at("It lost (5) thousand", 9), QaScale::thousand);
  EXPECT_EQ(scale_at("It has 5 shops", 7), std::nullopt);
}

TEST(MeasureTest, AUnitOfAnotherColumnIsNotTaken) {
  const auto passage =
      table({{"Site", "Capacity (Ml)", "Cost ($000)", "Visitors"}, {"Brae", "240", "1,870", "31"}});
  EXPECT_EQ(scale_of(passage, 1, 1), QaScale::none);
  EXPECT_EQ(scale_of(passage, 1, 2), QaScale::thousand);
  EXPECT_EQ(scale_of(passage, 1, 3), std::nullopt);
}

TEST(MeasureTest, ARowWithAUnitOfItsOwnHasNoScale) {
  const auto passage =
      table({{"", "2021"}, {"Net sales", "1,204.5"}, {"Employees (number)", "4,120"}},
            "EUR million, unless stated otherwise");
  EXPECT_EQ(scale_of(passage, 1, 1), QaScale::million);
  EXPECT_EQ(scale_of(passage, 2, 1), QaScale::none);
}

}  // namespace
}  // namespace fineprint::evidence
