// Tests of pulling the asked value out of a snippet.
#include "pipelines/extractive/answer_value.h"

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::pipelines::extractive {
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

// The answer from the last snippet of the page whose text begins with `start`.
std::optional<std::string> answer(const Page& page, const std::string& start, AnswerKind kind,
                                  const std::string& question) {
  std::optional<std::string> found;
  for (const Snippet& snippet : snippets_of(page)) {
    if (snippet.text.starts_with(start)) {
      found = answer_value(page, snippet, kind, retrieve::prepare_query(question, {}));
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
  const auto money = [&](const char* row, const char* question) {
    return answer(page, row, AnswerKind::money, question);
  };
  EXPECT_EQ(money("Net sales", "net sales of Acme in 2022"), "$1,234 million");
  EXPECT_EQ(money("Net sales", "net sales of Acme in FY21"), "$1,100 million");
  EXPECT_EQ(money("Net sales", "net sales of Acme in 2020"), "$990 million");
  EXPECT_EQ(money("Net income", "net income of Acme in 2022"), "(98) million");
  EXPECT_EQ(answer(page, "Gross", AnswerKind::percent, "gross margin in 2021"), "40.2%");
}

TEST(AnswerValue, WithoutItsColumnNoFigureIsSafe) {
  for (const char* question :
       {"net sales of Acme", "net sales of Acme in 2015", "net sales in 2022 and 2021"}) {
    EXPECT_EQ(answer(income_table(), "Net sales", AnswerKind::money, question), std::nullopt)
        << question;
  }
}

TEST(AnswerValue, ALabelThatSaysMoreIsAnotherLine) {
  Page page;
  testing::type_element(
      &page, ElementKind::table,
      {"In thousands of euros     2022      2021", "Cost of sales         1,234      1,100",
       "Total sales           4,321      4,100", "Earnings per share     $1.25     $1.10"});
  EXPECT_EQ(answer(page, "Cost", AnswerKind::money, "What were sales in 2022?"), std::nullopt);
  EXPECT_EQ(answer(page, "Total", AnswerKind::money, "What were sales in 2022?"),
            "\xE2\x82\xAC"
            "4,321 thousand");
  EXPECT_EQ(answer(page, "Earnings", AnswerKind::money, "What were earnings per share in 2022?"),
            "$1.25");
}

TEST(AnswerValue, NotesListNumbersAndDatesCountNothing) {
  const std::string question = "How many employees does Acme have?";
  EXPECT_EQ(answer_in("10.33 Agreement of Acme with its employees", AnswerKind::count, question),
            std::nullopt);
  EXPECT_EQ(answer_in("Acme had three plants, as its employees know.", AnswerKind::count, question),
            std::nullopt);
  EXPECT_EQ(answer_in("On 14 May Acme paid its employees.", AnswerKind::count, question),
            std::nullopt);
  EXPECT_EQ(answer_in("Employees of Acme . . . . . . . 18", AnswerKind::count, question),
            std::nullopt);
  EXPECT_EQ(answer_in("At year end Acme had 5,300 full-time employees in 12 plants.",
                      AnswerKind::count, question),
            "5,300");
}

TEST(AnswerValue, ANumberCountsTheNounOfItsPhrase) {
  const std::string sentence =
      "Acme operates 52 significant manufacturing and support facilities in Oslo.";
  EXPECT_EQ(answer_in(sentence, AnswerKind::count, "How many facilities does Acme operate?"), "52");
  EXPECT_EQ(answer_in(sentence, AnswerKind::count, "How many sites does Acme operate?"),
            std::nullopt);
  EXPECT_EQ(answer_in("Acme operates 52 plants with offices and several new facilities.",
                      AnswerKind::count, "How many facilities does Acme operate?"),
            std::nullopt);
}

TEST(AnswerValue, UnitsOfAnotherTableDoNotApply) {
  Page page;
  testing::type_element(&page, ElementKind::table,
                        {"In millions         2022      2021", "Net sales     1,234     1,100"});
  testing::type_element(&page, ElementKind::heading, {"Grants"});
  testing::type_element(&page, ElementKind::table,
                        {"Purpose         2022      2021", "Roof grant     $500     $400"});
  EXPECT_EQ(answer(page, "Roof", AnswerKind::money, "What was the roof grant in 2022?"), "$500");
}

TEST(AnswerValue, FootnoteMarksAreSetSmaller) {
  Page page = testing::typed_page({"Hamilton is large 18 in area, the county says so."});
  const std::string question = "How large is Hamilton county?";
  for (Word& word : page.words) word.size_pt = word.text == "18" ? 6 : 10;
  EXPECT_EQ(answer(page, "", AnswerKind::count, question), std::nullopt);
}

TEST(AnswerValue, AMeasureNeedsItsUnit) {
  EXPECT_EQ(
      answer_in("The bridge is 320 metres long.", AnswerKind::number, "How long is the bridge?"),
      "320");
  EXPECT_EQ(
      answer_in("The bridge long stood on 320.", AnswerKind::number, "How long is the bridge?"),
      std::nullopt);
  EXPECT_EQ(answer_in("The bridge paid $5 million.", AnswerKind::money,
                      "How much was paid for the bridge?"),
            "$5 million");
  EXPECT_EQ(answer_in("The bridge paid 5 of them.", AnswerKind::money,
                      "How much was paid for the bridge?"),
            std::nullopt);
}

TEST(AnswerValue, TakesTheValueNearestToTheQuestionsWords) {
  const std::string sentence = "Acme has 17 shops, 240 trucks and employs 5,300 people.";
  EXPECT_EQ(answer_in(sentence, AnswerKind::count, "How many people?"), "5,300");
  EXPECT_EQ(answer_in(sentence, AnswerKind::count, "How many trucks?"), "240");
  EXPECT_EQ(answer_in("Churn was 3% at home and abroad, while growth was 8%.", AnswerKind::percent,
                      "What was growth?"),
            "8%");
}

TEST(AnswerValue, WhatTheQuestionSaysIsNoAnswer) {
  EXPECT_EQ(answer_in("Of 240 trucks 31 trucks are new.", AnswerKind::count,
                      "How many trucks of the 240 are new?"),
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
                      AnswerKind::count, "How many trucks has Acme?"),
            "31");
  EXPECT_EQ(answer_in("See Figure 7 of 2019.", AnswerKind::count, "How many trucks?"),
            std::nullopt);
}

TEST(AnswerValue, TextIsTheSnippetItself) {
  EXPECT_EQ(answer_in("There are 240 trucks.", AnswerKind::text, "Trucks?"), std::nullopt);
}

TEST(AnswerValue, SaysYesOrNoOnlyToWhatTheSnippetSays) {
  EXPECT_EQ(answer_in("The net loss of 2022 was $5 million.", AnswerKind::yes_no,
                      "Did Acme make a profit in 2022?"),
            std::nullopt);
  EXPECT_EQ(answer_in("Acme has trucks.", AnswerKind::yes_no, "Doesn't Acme have trucks?"),
            std::nullopt);
  EXPECT_EQ(answer_in("Acme has more trucks than ships.", AnswerKind::yes_no,
                      "Does Acme have more ships than trucks?"),
            std::nullopt);
}

TEST(AnswerValue, AffirmsUnlessTheSnippetDenies) {
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

TEST(AnswerValue, ListsReasonsAndSumsAreNoSingleValue) {
  EXPECT_EQ(
      answer_in("Fruit sold: apples, pears and plums", AnswerKind::list, "Which fruit is sold?"),
      std::nullopt);
  EXPECT_EQ(answer_in("The increase of cash was $5 million.", AnswerKind::money,
                      "What was the reason for the increase of cash?"),
            std::nullopt);
  EXPECT_EQ(answer_in("The average cost was $5 million.", AnswerKind::money,
                      "What is the ratio of the average cost?"),
            std::nullopt);
}

TEST(AnswerValue, AChangeIsNoAmount) {
  const std::string sentence = "Research expenses increased by $273 million.";
  EXPECT_EQ(answer_in(sentence, AnswerKind::money, "How much were research expenses?"),
            std::nullopt);
  EXPECT_EQ(answer_in(sentence, AnswerKind::money, "By how much did research expenses increase?"),
            "$273 million");
}

TEST(AnswerValue, RangesMarginsAndScaleWordsStayWhole) {
  EXPECT_EQ(answer_in("The engine's efficiency reaches 27-30%.", AnswerKind::percent,
                      "What is the efficiency of the engine in percent?"),
            std::nullopt);
  EXPECT_EQ(answer_in("It was home to ten million people.", AnswerKind::count,
                      "How many people was it home to?"),
            "ten million");
}

TEST(AnswerValue, ANameIsTheOneThatSomethingIsSaidOf) {
  const std::string audited =
      "The accounts were audited by Tern Pollock and approved by Ann Lee of Oslo.";
  EXPECT_EQ(answer_in(audited, AnswerKind::name, "Who audited the accounts?"), "Tern Pollock");
  EXPECT_EQ(answer_in("Ann Lee chairs the meeting, as Bo Ek said.", AnswerKind::name,
                      "Who chairs the meeting?"),
            "Ann Lee");
  EXPECT_EQ(answer_in("Bo Ek told the meeting that it chairs itself, said Ann Lee.",
                      AnswerKind::name, "Who chairs the meeting?"),
            std::nullopt);
  EXPECT_EQ(answer_in("The meeting was in Oslo.", AnswerKind::name, "Where was the meeting?"),
            std::nullopt);
}

TEST(AnswerValue, UnitsInParenthesesAreNoPartOfALabel) {
  Page page;
  testing::type_element(
      &page, ElementKind::table,
      {"                         2024     2023", "Aircraft                   14       13",
       "Revenue (EUR million)     402      381"});
  EXPECT_EQ(answer(page, "Revenue", AnswerKind::money, "What was the revenue in 2023?"),
            "€381 million");
}

TEST(AnswerValue, AColumnAskedForByNameIsFoundByItsNameAndNotByYear) {
  Page page;
  testing::type_element(&page, ElementKind::table,
                        {"$ in millions    2018    Acquisitions    2019",
                         "Data centre      5,424          1,731   7,155"});
  EXPECT_EQ(answer(page, "Data", AnswerKind::money,
                   "How much were the acquisitions of the data centre in 2019?"),
            "$1,731 million");
}

// The layout shows the cells, although the file states none.
TEST(AnswerValue, ACellIsNamedByRowAndColumn) {
  Page page;
  testing::type_element(&page, ElementKind::table,
                        {"Harbour      Sailing boats    Motor boats    Free berths",
                         "Aldwick      100              300            20",
                         "Bexley       107              311            21",
                         "Zeal         443              839            69"});
  const auto of = [&](const std::string& row, const std::string& question) {
    return answer(page, row, AnswerKind::count, question);
  };
  EXPECT_EQ(of("Zeal", "How many sailing boats were in Zeal on 1 July 2023?"), "443");
  EXPECT_EQ(of("Bexley", "How many free berths does Bexley have?"), "21");
  EXPECT_EQ(of("Aldwick", "How many free berths does Bexley have?"), std::nullopt);
  EXPECT_EQ(of("Zeal", "How many boats were in Zeal?"), std::nullopt);
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

TEST(AnswerValue, TakesTurnsWithYears) {
  const std::string cars = "The ferry carried 18,220 cars in 2023 and 19,407 cars in 2024.";
  EXPECT_EQ(answer_in(cars, AnswerKind::count, "How many cars did the ferry carry in 2024?"),
            "19,407");
  EXPECT_EQ(answer_in(cars, AnswerKind::count, "How many cars did the ferry carry in 2023?"),
            "18,220");
  EXPECT_EQ(answer_in("In 2023, 18,220 cars and in 2024, 19,407 cars took the ferry.",
                      AnswerKind::count, "How many cars took the ferry in 2024?"),
            "19,407");
}

TEST(AnswerValue, TwoAnswersSideBySideAreNone) {
  EXPECT_EQ(answer_in("Life jackets on board Yes No", AnswerKind::yes_no,
                      "Are there life jackets on board?"),
            std::nullopt);
}

TEST(AnswerValue, TheCompanyNeedNotBeNamed) {
  Page page;
  testing::type_element(&page, ElementKind::table,
                        {"                2024      2023", "Bakery        41,205    39,880",
                         "Employees      2,310     2,288"});
  EXPECT_EQ(answer(page, "Employees", AnswerKind::count,
                   "How many employees did the company have in 2024?"),
            "2,310");
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
