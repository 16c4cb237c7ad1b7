// Tests of answering by quoting, over two small reports and keyword search alone.
#include <gtest/gtest.h>

#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/text/quote.h"

#include "support/small_store.h"

namespace fineprint::pipelines {
namespace {

using testing::type_element;

Page income_page(const std::string& company, const std::string& sales,
                 const std::string& sales_before) {
  Page page;
  type_element(&page, ElementKind::heading, {company + " income statement"});
  type_element(&page, ElementKind::table,
               {"Millions of dollars    2022     2021",
                "Net sales            " + sales + "   " + sales_before,
                "Interest expense          12        9", "Pension cost               7        8"},
               0);
  return page;
}

class ExtractiveTest : public ::testing::Test {
 protected:
  ExtractiveTest() {
    store_.put("acme.pdf",
               {testing::typed_page({"Acme makes anvils in Tucson.", "It employs 5,300 people."}),
                income_page("Acme", "$1,234", "$1,100")});
    store_.put("bolt.pdf",
               {testing::typed_page({"Bolt sells rivets in Omaha.", "It employs 410 people."}),
                income_page("Bolt", "$4,321", "$4,100")});
    options_.search.scorers = {"bm25"};
  }

  Answer ask(const std::string& text) {
    testing::Asking asking(store_);
    Question question;
    question.text = text;
    return find("extractive").run(asking.context(), question, options_);
  }

  testing::SmallStore store_;
  PipelineOptions options_;
};

TEST_F(ExtractiveTest, QuotesTheRowThatAnswers) {
  const Answer answer = ask("What were the net sales of Acme in 2021?");
  EXPECT_TRUE(answer.answerable);
  EXPECT_EQ(answer.answer, "$1,100 million");
  EXPECT_GT(answer.answerability.value(), 0.5);
  EXPECT_GE(answer.confidence, 0);
  EXPECT_LE(answer.confidence, 1);
  ASSERT_FALSE(answer.citations.empty());
  const Citation& citation = answer.citations[0];
  EXPECT_EQ(citation.page, (PageRef{"acme.pdf", 2}));
  EXPECT_EQ(citation.quote, "Net sales $1,234 $1,100");
  EXPECT_EQ(answer.retrieved.at(0).page, citation.page);
}

// The date is far from the row, where it outweighs the name of the row, and on the page on which
// the table begins.
TEST_F(ExtractiveTest, ARowIsFoundByItsNameAndDatedByThePageOnWhichItsTableBegins) {
  Page first, second;
  type_element(&first, ElementKind::heading, {"Harbours of the county"});
  type_element(&first, ElementKind::paragraph,
               {"The table counts vessels as they were on 1 July 2023."});
  type_element(&first, ElementKind::table,
               {"Harbour      Sailing boats    Motor boats", "Aldwick      100              300",
                "Bexley       107              311"},
               0);
  type_element(&second, ElementKind::table,
               {"Denver       121              333", "Zeal         443              839"});
  first.height_pt = second.height_pt = 60;
  store_.put("harbours.pdf", {first, second});
  const Answer answer = ask("How many sailing boats were in Zeal on 1 July 2023?");
  EXPECT_EQ(answer.citations.at(0).quote, "Zeal 443 839");
  EXPECT_EQ(answer.answer, "443");
}

TEST_F(ExtractiveTest, BoxesAreThoseOfTheWordsQuoted) {
  const Answer answer = ask("What were the net sales of Acme in 2021?");
  testing::Asking asking(store_);
  for (const Citation& citation : answer.citations) {
    const session::Pool pool = asking.corpus().pool({citation.page.doc});
    const Page page =
        asking.corpus().page(asking.corpus().page_number(pool.at(0), citation.page.page));
    const auto place = text::find_quote(page, citation.quote);
    ASSERT_TRUE(place.has_value()) << citation.quote;
    EXPECT_EQ(citation.boxes, place->boxes) << citation.quote;
  }
  const Box row{0, 24, 6 * 36, 34};  // the third line of the page, 36 characters wide
  EXPECT_EQ(answer.citations.at(0).boxes, (std::vector<Box>{row}));
}

TEST_F(ExtractiveTest, RanksPagesAfterThoseThatItReads) {
  options_.search.k = 1;
  const Answer answer = ask("What were the net sales of Acme in 2021?");
  ASSERT_GT(answer.retrieved.size(), 1U);
  EXPECT_EQ(answer.retrieved[0].page, (PageRef{"acme.pdf", 2}));
  EXPECT_TRUE(answer.retrieved[0].shown);
  EXPECT_EQ(answer.retrieved[1].page, (PageRef{"bolt.pdf", 2}));
  EXPECT_FALSE(answer.retrieved[1].shown);
}

TEST_F(ExtractiveTest, QuotesASentence) {
  const Answer answer = ask("How many people does Bolt employ?");
  EXPECT_TRUE(answer.answerable);
  EXPECT_EQ(answer.answer, "410");
  EXPECT_EQ(answer.citations.at(0).quote, "It employs 410 people.");
  EXPECT_EQ(answer.citations[0].page, (PageRef{"bolt.pdf", 1}));
}

TEST_F(ExtractiveTest, ARowThatNamesColumnsIsNoAnswer) {
  Page page;
  type_element(&page, ElementKind::table,
               {"Years ended March 31, 2019   March 31, 2018", "Cash      1,111     999"});
  store_.put("crane.pdf", {page});
  const Answer answer = ask("What is cash for the years ended March 31, 2019?");
  EXPECT_EQ(answer.citations.at(0).quote, "Cash 1,111 999");
}

TEST_F(ExtractiveTest, GivesTheNumberToDial) {
  Page page;
  type_element(&page, ElementKind::heading, {"The Ostby Ferry Office"});
  type_element(&page, ElementKind::paragraph,
               {"The Ostby ferry office is open daily.", "Telephone: 01632 960655."}, 0);
  store_.put("ferry.pdf", {page});
  const Answer answer = ask("What is the telephone number of the Ostby ferry office?");
  EXPECT_EQ(answer.answer, "01632 960655");
}

// A label that is all asked for says nothing in a document about somebody else.
TEST_F(ExtractiveTest, ALabelCountsOnlyInADocumentAboutTheName) {
  store_.put("survey.pdf", {testing::typed_page({"Survey of a roof", "Total: £5,780.00"})});
  Page receipt = testing::typed_page({"Pell's Ironmongers"});
  type_element(&receipt, ElementKind::paragraph,
               {"The varnish came to £31.05, which makes a total of £52.05 with the tax."});
  store_.put("receipt.pdf", {receipt});
  const Answer answer = ask("What was the total of Pell's Ironmongers?");
  EXPECT_EQ(answer.citations.at(0).page.doc, "receipt.pdf");
}

TEST_F(ExtractiveTest, ALabelAloneIsNoAnswer) {
  store_.put("invoice.pdf",
             {testing::typed_page({"Bill to", "", "Larkspur Dental was served well."})});
  const Answer answer = ask("Who is the bill to?");
  EXPECT_NE(answer.answer, "Bill to");
  EXPECT_NE(answer.citations.at(0).quote, "Bill to");
}

TEST_F(ExtractiveTest, StaysWithinTheDocumentsAsked) {
  options_.search.docs = {"bolt.pdf"};
  const Answer answer = ask("What were the net sales in 2022?");
  EXPECT_EQ(answer.answer, "$4,321 million");
  for (const RetrievedPage& page : answer.retrieved) EXPECT_EQ(page.page.doc, "bolt.pdf");
}

TEST_F(ExtractiveTest, DeclinesWhatIsNotThere) {
  const Answer answer = ask("Who wrote the sales forecast of Zenith for 1987 in Antarctica?");
  EXPECT_FALSE(answer.answerable);
  EXPECT_EQ(answer.answer, kNotAnswerable);
  EXPECT_LT(answer.answerability.value(), 0.5);
  EXPECT_NEAR(answer.confidence, 0.8 * (1 - *answer.answerability), 1e-12);
  EXPECT_FALSE(answer.retrieved.empty());  // what was looked at is still told
}

TEST_F(ExtractiveTest, DeclinesWithoutAWordInCommon) {
  const Answer answer = ask("Penguins of Antarctica?");
  EXPECT_FALSE(answer.answerable);
  EXPECT_LT(answer.answerability.value(), 0.2);
  EXPECT_TRUE(answer.citations.empty());
  EXPECT_TRUE(answer.retrieved.empty());
}

TEST_F(ExtractiveTest, AnotherCompanysFiguresAreRelatedAndNoAnswer) {
  const Answer answer = ask("What were Zenith's net sales in 2022?");
  EXPECT_FALSE(answer.answerable);
  EXPECT_FALSE(answer.citations.empty());
}

TEST_F(ExtractiveTest, AnotherYearsFiguresAreRelatedAndNoAnswer) {
  const Answer answer = ask("What were the net sales of Acme in 2017?");
  EXPECT_FALSE(answer.answerable);
  EXPECT_FALSE(answer.citations.empty());
}

TEST_F(ExtractiveTest, WhereNoValueIsSafeTheRowIsTheAnswer) {
  const Answer answer = ask("What were the net sales of Acme?");
  EXPECT_TRUE(answer.answerable);
  EXPECT_EQ(answer.answer, "Net sales $1,234 $1,100");
  EXPECT_EQ(answer.answer, answer.citations.at(0).quote);
}

TEST_F(ExtractiveTest, TheLeastProbabilitiesCanBeSet) {
  options_.answer.min_confidence = 1;
  EXPECT_FALSE(ask("What were the net sales of Acme in 2021?").answerable);
  options_.answer.min_confidence = -1;
  options_.answer.min_answerability = 0;
  const Answer answer = ask("Who wrote the sales forecast of Zenith for 1987 in Antarctica?");
  EXPECT_TRUE(answer.answerable);
  EXPECT_NE(answer.answer, kNotAnswerable);
}

TEST_F(ExtractiveTest, TracesItsSteps) {
  testing::Asking asking(store_, true);
  Question question;
  question.text = "What were the net sales of Acme in 2021?";
  find("extractive").run(asking.context(), question, options_);
  std::vector<std::string> steps;
  for (const Json& step : Json::parse(asking.trace().to_json())) steps.push_back(step["step"]);
  EXPECT_EQ(steps, (std::vector<std::string>{"bm25", "confidence"}));
}

TEST(ExtractiveOnNothing, Declines) {
  const testing::SmallStore store;
  testing::Asking asking(store);
  Question question;
  question.text = "What were the net sales of Acme in 2021?";
  const Answer answer = find("extractive").run(asking.context(), question, {});
  EXPECT_FALSE(answer.answerable);
  EXPECT_EQ(answer.answer, kNotAnswerable);
  EXPECT_LT(answer.answerability.value(), 0.2);
  EXPECT_TRUE(answer.citations.empty());
  EXPECT_TRUE(answer.retrieved.empty());
}

// Contracts number their clauses and do not call them so.
TEST_F(ExtractiveTest, AClauseIsAskedForByItsNumber) {
  Page page;
  type_element(&page, ElementKind::heading, {"2. Payment"});
  type_element(&page, ElementKind::paragraph, {"2.1 Rent is due on the first of the month."});
  type_element(&page, ElementKind::paragraph, {"2.2 Late payment costs 4 per cent a month."});
  type_element(&page, ElementKind::paragraph, {"12.2 Keys are handed back on the last day."});
  store_.put("lease.pdf", {page});
  const Answer answer = ask("What does clause 2.2 say?");
  EXPECT_TRUE(answer.answerable);
  EXPECT_EQ(answer.answer, "2.2 Late payment costs 4 per cent a month.");
  EXPECT_GT(answer.confidence, 0.5);
  EXPECT_EQ(ask("What does section 2.1 state?").answer,
            "2.1 Rent is due on the first of the month.");
  EXPECT_FALSE(ask("What does clause 7.3 say?").answerable);
}

}  // namespace
}  // namespace fineprint::pipelines
