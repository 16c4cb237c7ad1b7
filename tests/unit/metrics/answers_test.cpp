// Answers that say the same, and those that only look like it.
#include "fineprint/metrics/answers.h"

#include <gtest/gtest.h>

namespace fineprint::metrics {
namespace {

TEST(ExactMatch, CaseArticlesAndPunctuationDoNotCount) {
  EXPECT_TRUE(exact_match("The Board of Directors.", "board of directors"));
  EXPECT_TRUE(exact_match("“Acme”", "acme"));
  EXPECT_TRUE(exact_match("  New   York ", "new york"));
  EXPECT_TRUE(exact_match("ＡＢＣ", "abc"));
  EXPECT_FALSE(exact_match("New York City", "New York"));
  EXPECT_FALSE(exact_match("", "yes"));
  EXPECT_FALSE(exact_match("no", "yes"));
}

TEST(ExactMatch, NumbersHaveManyFormats) {
  EXPECT_TRUE(exact_match("$1,234.50", "1234.5"));
  EXPECT_TRUE(exact_match("$ 34,229", "34229.00"));
  EXPECT_TRUE(exact_match("(1,234)", "-1234"));
  EXPECT_TRUE(exact_match("$(1,234)", "−1,234"));
  EXPECT_TRUE(exact_match("5 percent", "5.0%"));
  EXPECT_TRUE(exact_match("5 %", "5%"));
  EXPECT_TRUE(exact_match("€0.50", ".5"));
  EXPECT_TRUE(exact_match("12.", "12"));
  EXPECT_TRUE(exact_match("$1.2 million", "1.20 million"));
  EXPECT_FALSE(exact_match("1234", "12345"));
  EXPECT_FALSE(exact_match("5", "5%"));
  EXPECT_FALSE(exact_match("-5", "5"));
  EXPECT_FALSE(exact_match("1.2 million", "1.2 billion"));
}

TEST(ExactMatch, WhatLooksLikeANumberButIsNone) {
  EXPECT_FALSE(exact_match("1,2", "12"));
  EXPECT_FALSE(exact_match("1,23,456", "123456"));
  EXPECT_FALSE(exact_match("10-20", "1020"));
  EXPECT_FALSE(exact_match("1.2.3", "1.23"));
  EXPECT_TRUE(exact_match("FY2022", "fy2022"));
  EXPECT_TRUE(exact_match("the plan (2019)", "plan 2019"));
}

TEST(ExactMatch, TextsOfWhichNoWordIsLeft) {
  EXPECT_TRUE(exact_match("", ""));
  EXPECT_TRUE(exact_match("The", "the"));
  EXPECT_FALSE(exact_match("a", "the"));
  EXPECT_FALSE(exact_match("?", "!"));
}

TEST(RelaxedMatch, NumbersWithinFivePercent) {
  EXPECT_TRUE(relaxed_match("105", "100"));
  EXPECT_TRUE(relaxed_match("$95 thousand", "100 thousand"));
  EXPECT_FALSE(relaxed_match("105.1", "100"));
  EXPECT_TRUE(relaxed_match("about 18.3% of all", "18.29%"));
  EXPECT_FALSE(relaxed_match("-100", "100"));
  EXPECT_TRUE(relaxed_match("0", "0.0"));
  EXPECT_FALSE(relaxed_match("0.001", "0"));
}

TEST(RelaxedMatch, PercentSignsAreRespected) {
  EXPECT_TRUE(relaxed_match("0.183", "18.29%"));
  EXPECT_FALSE(relaxed_match("18.29", "18.29%"));
}

TEST(RelaxedMatch, ScalesAreRespectedWhenBothSayThem) {
  EXPECT_TRUE(relaxed_match("1.2 billion", "1,200 million"));
  EXPECT_FALSE(relaxed_match("1.2 billion", "1.2 million"));
  EXPECT_TRUE(relaxed_match("$1,577 million", "$1577.00"));
  EXPECT_TRUE(relaxed_match("1577000000", "$1,577 million"));
}

TEST(RelaxedMatch, YearsMustBeTheSame) {
  EXPECT_FALSE(relaxed_match("2019", "2020"));
  EXPECT_TRUE(relaxed_match("in 2020", "2020"));
  EXPECT_TRUE(relaxed_match("$2,019", "2020"));  // an amount, within 5%
}

TEST(RelaxedMatch, SeveralNumbersAreNotCompared) {
  EXPECT_FALSE(relaxed_match("101 and 102", "100"));
  EXPECT_FALSE(relaxed_match("101", "100 and 102"));
}

TEST(RelaxedMatch, TheGoldAnswerAsWholeWordsInside) {
  EXPECT_TRUE(relaxed_match("It was Jane Doe, the auditor.", "Jane Doe"));
  EXPECT_TRUE(relaxed_match("Sales were $1,577 in 2018 and $1,500 in 2017", "1577.00"));
  EXPECT_FALSE(relaxed_match("Janet Doe", "Jane"));
  EXPECT_FALSE(relaxed_match("Jane", "Jane Doe"));
  EXPECT_FALSE(relaxed_match("Jane", ""));
  EXPECT_FALSE(relaxed_match("Jane", "The"));
}

}  // namespace
}  // namespace fineprint::metrics
