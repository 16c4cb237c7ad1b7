// Kinds of questions.
#include "fineprint/text/answer_kind.h"

#include <set>

#include <gtest/gtest.h>

namespace fineprint::text {
namespace {

TEST(AnswerKindTest, IsReadOffTheQuestion) {
  const std::pair<AnswerKind, const char*> cases[] = {
      {AnswerKind::count, "How many employees did the company have in 2021?"},
      {AnswerKind::count, "What is the number of stores in Europe?"},
      {AnswerKind::count, "How often does the committee meet?"},
      {AnswerKind::percent, "What percentage of respondents agreed?"},
      {AnswerKind::percent, "How many percent of users are women?"},
      {AnswerKind::percent, "What was the gross margin in FY2019?"},
      {AnswerKind::percent, "What share of income goes to rent?"},
      {AnswerKind::percent, "What was the effective tax rate?"},
      {AnswerKind::percent, "By what % did sales grow?"},
      {AnswerKind::money, "How much did the project cost?"},
      {AnswerKind::money,
       "What is the FY2018 capital expenditure amount (in USD millions) for Acme?"},
      {AnswerKind::money, "What was total revenue in 2020?"},
      {AnswerKind::money, "How much cash was used for acquisitions?"},
      {AnswerKind::money, "What is the price of the basic plan in dollars?"},
      {AnswerKind::number, "How much did the temperature rise?"},
      {AnswerKind::number, "How long is the bridge?"},
      {AnswerKind::number, "What is the inventory turnover ratio?"},
      {AnswerKind::number, "What was the average score of the second group?"},
      {AnswerKind::number, "How old was the founder?"},
      {AnswerKind::date, "When was the agreement signed?"},
      {AnswerKind::date, "In which year did the company go public?"},
      {AnswerKind::date, "What is the date of the letter?"},
      {AnswerKind::date, "What time does the meeting start?"},
      {AnswerKind::date, "On what date does the lease end?"},
      {AnswerKind::name, "Who is the chief executive officer?"},
      {AnswerKind::name, "Which company made the acquisition?"},
      {AnswerKind::name, "Where is the headquarters?"},
      {AnswerKind::name, "What is the name of the author?"},
      {AnswerKind::name, "Which business segment had the highest growth?"},
      {AnswerKind::yes_no, "Does the company pay a dividend?"},
      {AnswerKind::yes_no, "Based on the report, is the margin improving?"},
      {AnswerKind::yes_no, "Is Acme a capital-intensive business? Explain why."},
      {AnswerKind::yes_no, "Has the share price risen?"},
      {AnswerKind::list, "List the three risk factors."},
      {AnswerKind::list, "What are the main products of the company?"},
      {AnswerKind::list, "Which countries are shown on the map?"},
      {AnswerKind::list, "Name all the members of the board."},
      {AnswerKind::phone, "Which telephone no. does Ostby Ferries have?"},
      {AnswerKind::phone, "What is the phone number of the harbour office?"},
      {AnswerKind::phone, "what fax number does the notice give"},
      {AnswerKind::count, "How many phone numbers are given?"},
      {AnswerKind::email, "give the email id of the harbour master"},
      {AnswerKind::email, "Which e-mail address takes complaints?"},
      {AnswerKind::email, "What is the office's email?"},
      {AnswerKind::count, "How many e-mail addresses are listed?"},
      {AnswerKind::website, "What is the website of the port?"},
      {AnswerKind::website, "What is the URL where tickets are sold?"},
      {AnswerKind::text, "What is the most visited website?"},
      {AnswerKind::text, "Why did the margin fall?"},
      {AnswerKind::text, "Did the debt increase or decrease?"},
      {AnswerKind::text, "Describe the colour of the chart."},
      {AnswerKind::text, ""},
      {AnswerKind::text, "\xff\xfe what \xc3"},
  };
  for (const auto& [kind, question] : cases) {
    EXPECT_EQ(kind_name(answer_kind(question)), kind_name(kind)) << question;
  }
}

TEST(AnswerKindTest, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(AnswerKind::website); ++i) {
    names.insert(kind_name(static_cast<AnswerKind>(i)));
  }
  EXPECT_EQ(names.size(), 12u);
}

}  // namespace
}  // namespace fineprint::text
