// Tests of pulling the asked value out of a passage.
#include "fineprint/retrieve/answer_value.h"

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using text::AnswerKind;

Page income_table() {
  Page page;
  testing::type_element(
      &page, ElementKind::table,
      {"In millions         2022      2021      2020",
       "Net sales        $ 1,234   $ 1,100     $ 990", "Net income           (98)       87",
       "Gross margin       41.5%     40.2%     39.0%"});
  return page;
}

// The answer from the last passage of the page whose text begins with `start`.
std::optional<std::string> answer(const Page& page, const std::string& start, AnswerKind kind,
                                  const std::string& question) {
  std::optional<std::string> found;
  for (const Passage& passage : passages_of(page)) {
    if (passage.text.starts_with(start)) {
      found = answer_value(page, passage, kind, prepare_query(question));
    }
  }
  return found;
}

std::optional<std::string> answer_in(const std::string& sentence, AnswerKind kind,
                                     const std::string& question) {
  return answer(testing::typed_page({sentence}), "", kind, question);
}

TEST(AnswerValue, TakesTheAskedYearsColumn) {
  const Page page = income_table();
  EXPECT_EQ(answer(page, "Net sales", AnswerKind::money, "net sales of Acme in 2022"), "$ 1,234");
  EXPECT_EQ(answer(page, "Net sales", AnswerKind::money, "net sales of Acme in FY21"), "$ 1,100");
  EXPECT_EQ(answer(page, "Net sales", AnswerKind::money, "net sales of Acme in 2020"), "$ 990");
  EXPECT_EQ(answer(page, "Net income", AnswerKind::money, "net income of Acme in 2022"), "(98)");
  EXPECT_EQ(answer(page, "Gross", AnswerKind::percent, "gross margin in 2021"), "40.2%");
}

TEST(AnswerValue, WithoutAYearTakesTheFirstColumn) {
  EXPECT_EQ(answer(income_table(), "Net sales", AnswerKind::money, "net sales of Acme"), "$ 1,234");
  EXPECT_EQ(answer(income_table(), "Net sales", AnswerKind::money, "net sales of Acme in 2015"),
            "$ 1,234");
}

TEST(AnswerValue, TakesTheValueNearestToTheQuestionsWords) {
  const std::string sentence = "Acme has 17 shops, 240 trucks and employs 5,300 people.";
  EXPECT_EQ(answer_in(sentence, AnswerKind::count, "How many people?"), "5,300");
  EXPECT_EQ(answer_in(sentence, AnswerKind::count, "How many trucks?"), "240");
  EXPECT_EQ(answer_in("Churn was 3% and growth was 8%.", AnswerKind::percent, "Churn in percent?"),
            "3%");
  EXPECT_EQ(answer_in("Churn was 3% and growth was 8%.", AnswerKind::percent, "What growth?"),
            "8%");
}

TEST(AnswerValue, WhatTheQuestionSaysIsNoAnswer) {
  EXPECT_EQ(answer_in("Of 240 trucks 31 are new.", AnswerKind::count,
                      "How many of the 240 trucks are new?"),
            "31");
  EXPECT_EQ(answer_in("There are 240 trucks.", AnswerKind::count, "Are there 240 trucks?"),
            std::nullopt);
  EXPECT_EQ(answer_in("Acme was founded by Ann Lee.", AnswerKind::name, "Who founded Acme?"),
            "Ann Lee");
}

TEST(AnswerValue, ANamedPagesNumberMayBeTheAnswer) {
  EXPECT_EQ(answer_in("It shows 5 trucks.", AnswerKind::count, "How many trucks are on page 5?"),
            "5");
  EXPECT_EQ(kind_fit("It shows 5 trucks.", AnswerKind::count, "How many trucks are on page 5?"),
            1.0);
}

TEST(AnswerValue, YearsPercentagesAndLabelsCountNothing) {
  EXPECT_EQ(answer_in("In 2021 Acme, see Note 12, ran 31 trucks, 40% of them new.",
                      AnswerKind::count, "How many did it run?"),
            "31");
  EXPECT_EQ(answer_in("See Figure 7 of 2019.", AnswerKind::count, "How many trucks?"),
            std::nullopt);
}

TEST(AnswerValue, TextIsThePassageItself) {
  EXPECT_EQ(answer_in("There are 240 trucks.", AnswerKind::text, "Trucks?"), std::nullopt);
}

TEST(AnswerValue, AffirmsUnlessThePassageDenies) {
  const std::string question = "Are there trucks?";
  EXPECT_EQ(answer_in("There are 240 trucks.", AnswerKind::yes_no, question), "Yes");
  EXPECT_EQ(answer_in("There are no trucks.", AnswerKind::yes_no, question), "No");
  EXPECT_EQ(answer_in("Trucks were never bought.", AnswerKind::yes_no, question), "No");
  EXPECT_EQ(answer_in("It doesn't own trucks.", AnswerKind::yes_no, question), "No");
  EXPECT_EQ(answer_in("It doesn\xE2\x80\x99t own trucks.", AnswerKind::yes_no, question), "No");
  EXPECT_EQ(answer_in("Trucks cannot be bought.", AnswerKind::yes_no, question), "No");
  EXPECT_EQ(answer_in("Trucks, see invoice No. 12.", AnswerKind::yes_no, question), "Yes");
  EXPECT_EQ(answer_in("Yes, trucks.", AnswerKind::yes_no, question), "Yes");
}

TEST(AnswerValue, ListsJoinTheirItems) {
  EXPECT_EQ(answer_in("apples, pears and plums", AnswerKind::list, "Which fruit is sold?"),
            "apples, pears, plums");
}

TEST(KindFit, TellsWhetherThereIsANewValue) {
  EXPECT_EQ(kind_fit("It has 12 shops.", AnswerKind::count, "How many shops?"), 1.0);
  EXPECT_EQ(kind_fit("It has 12 shops.", AnswerKind::count, "Why 12 shops?"), 0.0);
  EXPECT_EQ(kind_fit("It has shops.", AnswerKind::count, "How many shops?"), 0.0);
  EXPECT_EQ(kind_fit("It has 12 shops.", AnswerKind::percent, "What percentage?"), 0.0);
  EXPECT_EQ(kind_fit("", AnswerKind::money, "How much?"), 0.0);
  EXPECT_EQ(kind_fit("It has shops.", AnswerKind::text, "Why?"), 0.5);
  EXPECT_EQ(kind_fit("It has shops.", AnswerKind::yes_no, "Has it?"), 0.5);
  EXPECT_EQ(kind_fit("It has shops.", AnswerKind::list, "Which are they?"), 0.5);
}

}  // namespace
}  // namespace fineprint::retrieve
