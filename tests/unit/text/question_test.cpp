// Tests of what a question asks: its core and the pages that it names.
#include "fineprint/text/question.h"

#include <gtest/gtest.h>

namespace fineprint::text {

// For the messages of failed comparisons.
static void PrintTo(const PageRange& range, std::ostream* out) {
  *out << range.first << '-' << range.last;
}

namespace {

// With runs of blanks made one and none at the ends.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string core(std::string_view question) { return squeezed(question_core(question)); }

TEST(QuestionCore, DropsInstructionsAboutTheAnswer) {
  EXPECT_EQ(core("What is the net income of Acme? Answer in one sentence."),
            "What is the net income of Acme? .");
  EXPECT_EQ(core("What is the quick ratio of Acme? Round your answer to two decimals."),
            "What is the quick ratio of Acme? .");
  EXPECT_EQ(core("Which regions grew? Please write the answer as a list."),
            "Which regions grew? .");
  EXPECT_EQ(core("Is the quick ratio healthy? If it is not relevant, then state that and say why."),
            "Is the quick ratio healthy? .");
  EXPECT_EQ(core("List the five regions in alphabetical order."), "List the five regions .");
}

TEST(QuestionCore, AStateIsNoInstruction) {
  const std::string question = "What tax applies if you live in another state?";
  EXPECT_EQ(core(question), question);
}

TEST(QuestionCore, StaysAsItIsWhereTooLittleWouldRemain) {
  const std::string question = "If sales fell, explain by how much.";
  EXPECT_EQ(question_core(question), question);
  EXPECT_EQ(question_core("Revenue?"), "Revenue?");
  EXPECT_EQ(question_core(""), "");
}

TEST(QuestionCore, SpellsPeriodsAsDocumentsDo) {
  EXPECT_EQ(core("Revenue of Acme in FY2022"), "Revenue of Acme in 2022");
  EXPECT_EQ(core("Revenue of Acme in FY22"), "Revenue of Acme in 2022");
  EXPECT_EQ(core("Revenue of Acme in FY '21"), "Revenue of Acme in 2021");
  EXPECT_EQ(core("Revenue of Acme in Q2 2022"), "Revenue of Acme in Q2 second quarter 2022");
  EXPECT_EQ(core("Revenue of Acme in 4Q22"), "Revenue of Acme in Q4 fourth quarter 22");
  EXPECT_EQ(core("Revenue of Acme in HQ2 site"), "Revenue of Acme in HQ2 site");
}

struct Named {
  const char* question;
  std::vector<PageRange> pages;
};

class NamedPages : public ::testing::TestWithParam<Named> {};

TEST_P(NamedPages, AreFound) {
  EXPECT_EQ(named_pages(GetParam().question), GetParam().pages) << GetParam().question;
}

INSTANTIATE_TEST_SUITE_P(
    Questions, NamedPages,
    ::testing::Values(Named{"What is shown on page 5?", {{5, 5}}},
                      Named{"What is shown on Page No. 12?", {{12, 12}}},
                      Named{"What is on slide five?", {{5, 5}}},
                      Named{"Compare slides 3 to 6", {{3, 6}}},
                      Named{"Compare slides 3-6", {{3, 6}}}, Named{"Compare pages 3 – 6", {{3, 6}}},
                      Named{"Compare pages 3 and 7", {{3, 3}, {7, 7}}},
                      Named{"Compare pages 3, 5 and 7", {{3, 3}, {5, 5}, {7, 7}}},
                      Named{"Compare pages 3, 5, and 7-9", {{3, 3}, {5, 5}, {7, 9}}},
                      Named{"All charts from page 5 to page 8", {{5, 8}}},
                      Named{"Compare page 4 and page 9", {{4, 4}, {9, 9}}},
                      Named{"On page 5, 2021 sales were higher than what?", {{5, 5}}},
                      Named{"On page 5, 45% of whom agree?", {{5, 5}}},
                      Named{"What does the third slide show?", {{3, 3}}},
                      Named{"What does the 3rd slide show?", {{3, 3}}},
                      Named{"What is the logo on the cover page?", {{1, 1}}},
                      Named{"Who signed the last page?", {{kLastPage, kLastPage}}}));

INSTANTIATE_TEST_SUITE_P(
    NoPages, NamedPages,
    ::testing::Values(Named{"What does the page show?", {}}, Named{"Is the home page blue?", {}},
                      Named{"How many pages are there?", {}}, Named{"What is on page 0?", {}},
                      Named{"What is on the 0th page?", {}}, Named{"What is on page 123456?", {}},
                      Named{"Compare pages 9 to 3", {}}, Named{"Compare pages 1 to 900", {}},
                      Named{"The twenty-first page", {}}, Named{"", {}}));

TEST(WithoutNamedPages, LosesTheNumbersOfPagesOnly) {
  EXPECT_EQ(squeezed(without_named_pages("On page 5, how many of the 12 shops closed?")),
            "On , how many of the 12 shops closed?");
  EXPECT_EQ(squeezed(without_named_pages("Compare pages 3, 5 and 7 of the plan")),
            "Compare of the plan");
  EXPECT_EQ(squeezed(without_named_pages("Sales on page 5 and 2021 profit")),
            "Sales on and 2021 profit");
  EXPECT_EQ(without_named_pages("How many pages are there?"), "How many pages are there?");
}

using Terms = std::vector<std::string>;

TEST(CountedTerms, AreTheNounsBehindHowMany) {
  EXPECT_EQ(counted_terms("How many full-time employees does Acme have?"),
            (Terms{"full", "time", "employe"}));
  EXPECT_EQ(counted_terms("What was the number of ships in 2020?"), (Terms{"ship"}));
  EXPECT_EQ(counted_terms("How many of the ships sank?"), Terms{});
  EXPECT_EQ(counted_terms("Who counted them?"), Terms{});
}

}  // namespace
}  // namespace fineprint::text
