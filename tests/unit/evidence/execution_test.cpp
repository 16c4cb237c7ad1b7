// Tests of carrying out what a QA model said.
#include "fineprint/evidence/execution.h"

#include <gtest/gtest.h>

#include "unit/evidence/readings.h"

namespace fineprint::evidence {
namespace {

using models::PassageReading;
using models::QaOperator;
using models::QaPassage;
using models::QaScale;

const QaPassage kSales = table({{"", "2019", "2018"},
                                {"Net sales", "1,500", "1,200"},
                                {"Cost of sales", "900", "(800)"},
                                {"Earnings per share", "1.25", "1.10"}},
                               "Income (in $ millions, except per share)");

Execution of_one(const QaPassage& passage, const PassageReading& reading,
                 const std::string& question = "How much?") {
  return execute(question, {&passage, 1}, {&reading, 1});
}

TEST(ExecutionTest, ACellAsItStandsWithItsScale) {
  PassageReading reading = reading_of(kSales, QaOperator::span);
  cell(&reading, 1, 2).single = -0.1;
  const Execution said = of_one(kSales, reading);
  EXPECT_EQ(said.texts, std::vector<std::string>{"1,200"});
  EXPECT_EQ(said.scale, QaScale::million);
  EXPECT_EQ(said.evidence, (std::vector<Place>{{1, 2}}));
  EXPECT_EQ(said.derivation, "");
  EXPECT_EQ(answer_text(said), "$1,200 million");
  EXPECT_NEAR(said.nothing, 1 / (1 + std::exp(5)), 1e-12);
  EXPECT_NEAR(said.probability, (1 - said.nothing) * 0.9 * std::exp(-0.1), 1e-12);
}

// Each text once, however many passages have it.
TEST(ExecutionTest, AllAnswersByTheirProbability) {
  PassageReading reading = reading_of(kSales, QaOperator::span);
  cell(&reading, 1, 1).single = std::log(0.2);
  cell(&reading, 1, 2).single = std::log(0.5);
  const std::vector<QaPassage> passages = {kSales, kSales};
  const Execution said = execute("How much?", passages, std::vector{reading, reading});
  ASSERT_GE(said.answers.size(), 2U);
  EXPECT_EQ(said.answers[0].text, "$1,200 million");
  EXPECT_EQ(said.answers[0].probability, said.probability);
  EXPECT_NEAR(said.answers[0].probability, (1 - said.nothing) * 0.9 * 0.5, 1e-9);
  EXPECT_EQ(said.answers[1].text, "$1,500 million");
  EXPECT_NEAR(said.answers[1].probability, (1 - said.nothing) * 0.9 * 0.2, 1e-9);
  EXPECT_LE(said.answers.size(), 20U);
}

// The model cuts words at blanks, and with them "12 700".
TEST(ExecutionTest, SpansTakeTheWholeNumber) {
  const QaPassage text = sentences("Cargo throughput was 12 700 tonnes.");
  PassageReading reading = reading_of(text, QaOperator::span);
  reading.spans = {{24, 34, -0.1}};
  const Execution said = of_one(text, reading);
  EXPECT_EQ(said.texts, std::vector<std::string>{"12 700 tonnes"});
  EXPECT_EQ(said.evidence, (std::vector<Place>{{-1, -1, 21, 34}}));
}

TEST(ExecutionTest, AmountsPerShareAreNotScaled) {
  PassageReading reading = reading_of(kSales, QaOperator::span);
  cell(&reading, 3, 1).single = -0.1;
  EXPECT_EQ(answer_text(of_one(kSales, reading)), "1.25");
}

TEST(ExecutionTest, AYearIsNoAmount) {
  PassageReading reading = reading_of(kSales, QaOperator::span);
  cell(&reading, 0, 1).single = -0.1;
  EXPECT_EQ(answer_text(of_one(kSales, reading)), "2019");
}

TEST(ExecutionTest, PairsAreInOrder) {
  PassageReading reading = reading_of(kSales, QaOperator::change);
  cell(&reading, 1, 1).first = -0.1;
  cell(&reading, 1, 2).second = -0.1;
  const Execution change = of_one(kSales, reading);
  EXPECT_EQ(change.texts, std::vector<std::string>{"25"});
  EXPECT_EQ(change.scale, QaScale::percent);
  EXPECT_EQ(change.derivation, "(1,500 - 1,200) / 1,200");
  EXPECT_EQ(change.evidence, (std::vector<Place>{{1, 1}, {1, 2}}));
  EXPECT_EQ(answer_text(change), "25%");

  reading.operators = reading_of(kSales, QaOperator::difference).operators;
  const Execution difference = of_one(kSales, reading);
  EXPECT_EQ(answer_text(difference), "$300 million");
  EXPECT_EQ(difference.derivation, "1,500 - 1,200");

  reading.operators = reading_of(kSales, QaOperator::ratio).operators;
  EXPECT_EQ(answer_text(of_one(kSales, reading)), "1.25");
  EXPECT_EQ(answer_text(of_one(kSales, reading, "What percentage of 2018 is it?")), "125%");
  reading.scales[static_cast<std::size_t>(QaScale::percent)] = 0;
  EXPECT_EQ(answer_text(of_one(kSales, reading)), "125%");
}

TEST(ExecutionTest, OneNumberIsNoPairAndNothingIsDividedByZero) {
  const QaPassage zero = table({{"", "2019", "2018"}, {"Grants", "5", "0"}});
  PassageReading reading = reading_of(zero, QaOperator::ratio);
  cell(&reading, 1, 1).first = cell(&reading, 1, 1).second = -0.1;
  cell(&reading, 1, 2).second = -0.2;
  cell(&reading, 0, 2).second = -0.5;  // the next one
  EXPECT_EQ(of_one(zero, reading).derivation, "5 / 2018");
}

TEST(ExecutionTest, SetsAreWhatIsRatherChosenThanNot) {
  PassageReading reading = reading_of(kSales, QaOperator::sum);
  cell(&reading, 2, 0).chosen = 3;  // no number
  cell(&reading, 2, 1).chosen = 2;
  cell(&reading, 2, 2).chosen = 1;
  const Execution sum = of_one(kSales, reading);
  EXPECT_EQ(sum.texts, std::vector<std::string>{"100"});
  EXPECT_EQ(sum.derivation, "900 + (-800)");
  EXPECT_EQ(sum.scale, QaScale::million);
  EXPECT_NEAR(sum.probability, (1 - sum.nothing) * 0.9 / (1 + std::exp(-1)), 1e-9);

  reading.operators = reading_of(kSales, QaOperator::average).operators;
  EXPECT_EQ(of_one(kSales, reading).derivation, "(900 + (-800)) / 2");
  EXPECT_EQ(of_one(kSales, reading).texts.front(), "50");

  reading.operators = reading_of(kSales, QaOperator::count).operators;
  const Execution count = of_one(kSales, reading);
  EXPECT_EQ(count.texts.front(), "3");
  EXPECT_EQ(count.scale, QaScale::none);
  EXPECT_EQ(count.derivation, "count(Cost of sales; 900; (800))");

  reading.operators = reading_of(kSales, QaOperator::spans).operators;
  EXPECT_EQ(of_one(kSales, reading).texts,
            (std::vector<std::string>{"Cost of sales", "900", "(800)"}));
}

TEST(ExecutionTest, OfASetThatNothingIsInTheBestIsTaken) {
  PassageReading reading = reading_of(kSales, QaOperator::spans);
  cell(&reading, 2, 0).chosen = -1;
  const Execution said = of_one(kSales, reading);
  EXPECT_EQ(said.texts, std::vector<std::string>{"Cost of sales"});
  EXPECT_LT(said.probability, 0.3);
}

TEST(ExecutionTest, SpansOfTexts) {
  const QaPassage text = sentences("Ann Lee and Bo Diaz own 12.5% of Acme, worth $4.2 million.");
  PassageReading reading = reading_of(text, QaOperator::spans);
  reading.several = {{0, 7, 2}, {12, 19, 1}};
  EXPECT_EQ(answer_text(of_one(text, reading)), "Ann Lee, Bo Diaz");

  reading.operators = reading_of(text, QaOperator::span).operators;
  reading.spans = {{24, 29, -0.1}};
  EXPECT_EQ(answer_text(of_one(text, reading)), "12.5%");
  EXPECT_EQ(of_one(text, reading).scale, QaScale::none);  // it says so itself
  reading.spans = {{24, 28, -0.1}};
  EXPECT_EQ(of_one(text, reading).texts.front(), "12.5");
  EXPECT_EQ(of_one(text, reading).scale, QaScale::percent);
  EXPECT_EQ(answer_text(of_one(text, reading)), "12.5%");
  reading.spans = {{46, 49, -0.1}};
  EXPECT_EQ(answer_text(of_one(text, reading)), "$4.2 million");
}

TEST(ExecutionTest, WhatIsSaidInOtherScalesIsBroughtToTheFirst) {
  const QaPassage text = sentences("Sales were $4.2 million after $900 thousand.");
  PassageReading reading = reading_of(text, QaOperator::difference);
  reading.units[0].first = reading.units[1].second = -0.1;
  const Execution said = of_one(text, reading);
  EXPECT_EQ(answer_text(said), "$3.3 million");
  EXPECT_EQ(said.derivation, "4.2 - 0.9");
}

TEST(ExecutionTest, AScaleThatIsNotOnThePageIsNeverGiven) {
  const QaPassage bare = table({{"", "2019"}, {"Net sales", "1,500"}});
  PassageReading reading = reading_of(bare, QaOperator::span);
  cell(&reading, 1, 1).single = -0.1;
  reading.scales[static_cast<std::size_t>(QaScale::thousand)] = 0;
  EXPECT_EQ(answer_text(of_one(bare, reading)), "1,500");
  reading.scales[static_cast<std::size_t>(QaScale::percent)] = 1;
  EXPECT_EQ(answer_text(of_one(bare, reading)), "1,500");
  const QaPassage text = sentences("The fleet has 23 boats and cost 5 million.");
  PassageReading of_text = reading_of(text, QaOperator::span);
  of_text.spans = {{14, 16, -0.1}};
  of_text.scales[static_cast<std::size_t>(QaScale::million)] = 0;
  EXPECT_EQ(answer_text(of_one(text, of_text)), "23");
}

TEST(ExecutionTest, TheQaModelChoosesAScaleThatTheHeadsName) {
  const QaPassage named = table({{"", "2019"}, {"Net sales", "1,500"}}, "Sales, thousand tons");
  PassageReading reading = reading_of(named, QaOperator::span);
  cell(&reading, 1, 1).single = -0.1;
  EXPECT_EQ(of_one(named, reading).scale, QaScale::none);
  reading.scales[static_cast<std::size_t>(QaScale::thousand)] = 0;
  EXPECT_EQ(answer_text(of_one(named, reading)), "1,500 thousand");
}

TEST(ExecutionTest, ThePassageThatIsMostProbableAnswers) {
  const std::vector<QaPassage> passages = {kSales, sentences("The audit fee was 7."), kSales};
  std::vector<PassageReading> readings;
  for (const QaPassage& passage : passages) {
    readings.push_back(reading_of(passage, QaOperator::span, 0));
  }
  readings[0].units[4].single = -0.1;
  readings[1].spans = {{18, 19, -0.1}};
  readings[1].relevance = 1;
  readings[2].units[0].single = -0.1;  // an empty cell is no answer
  Execution said = execute("What?", passages, readings);
  EXPECT_EQ(said.passage, 1U);
  EXPECT_EQ(said.texts.front(), "7");
  ASSERT_EQ(said.relevance.size(), 3U);
  const double sum = 3 + std::exp(1);
  EXPECT_NEAR(said.nothing, 1 / sum, 1e-12);
  EXPECT_NEAR(said.relevance[1], std::exp(1) / sum, 1e-12);

  // Two that say the same outweigh it.
  readings[0].relevance = readings[2].relevance = 0.9;
  readings[2].units[0].single = -8;
  readings[2].units[4].single = -0.1;
  said = execute("What?", passages, readings);
  EXPECT_EQ(said.texts.front(), "1,500");
  EXPECT_NEAR(said.probability,
              2 * std::exp(0.9) / (1 + std::exp(1) + 2 * std::exp(0.9)) * 0.9 * std::exp(-0.1),
              1e-9);
}

TEST(ExecutionTest, StatementsHoldOrDoNot) {
  PassageReading reading = reading_of(kSales, QaOperator::no);
  const Execution said = of_one(kSales, reading);
  EXPECT_EQ(said.texts.front(), "no");
  EXPECT_EQ(answer_text(said), "No");
  EXPECT_TRUE(said.evidence.empty());
}

TEST(ExecutionTest, NothingReadIsNoAnswer) {
  const Execution said = execute("What?", {}, {});
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(said.nothing, 1);
}

TEST(ExecutionTest, LargeLogOddsDoNotOverflow) {
  PassageReading reading = reading_of(kSales, QaOperator::span, 5000);
  cell(&reading, 1, 1).single = -0.1;
  EXPECT_EQ(of_one(kSales, reading).nothing, 0);
  reading.relevance = -5000;
  EXPECT_EQ(of_one(kSales, reading).nothing, 1);
  EXPECT_EQ(of_one(kSales, reading).texts.front(), "1,500");  // told all the same
}

TEST(ExecutionTest, AScaleOfMoneyCountsNothing) {
  const QaPassage staff =
      table({{"", "2019", "2018"}, {"Sales", "1,500", "1,200"}, {"Employees", "2,310", "2,288"}},
            "Results (in $ millions)");
  PassageReading reading = reading_of(staff, QaOperator::span);
  cell(&reading, 2, 1).single = -0.1;
  EXPECT_EQ(answer_text(of_one(staff, reading, "How many employees did Acme have in 2019?")),
            "2,310");
  EXPECT_EQ(answer_text(of_one(staff, reading, "What were the results in 2019?")),
            "$2,310 million");
}

}  // namespace
}  // namespace fineprint::evidence
