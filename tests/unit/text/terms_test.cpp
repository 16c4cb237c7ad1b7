// Search terms of texts and questions.
#include "fineprint/text/terms.h"

#include <gtest/gtest.h>

#include "text/stop_words.h"

namespace fineprint::text {
namespace {

using Terms = std::vector<std::string>;

TEST(TermsTest, FoldsSplitsStemsAndDropsStopWords) {
  EXPECT_EQ(terms("The Companies' net SALES were growing"),
            (Terms{"compani", "net", "sale", "grow"}));
  EXPECT_EQ(terms("year-over-year"), (Terms{"year", "year"}));
  EXPECT_EQ(terms("company's don't we’ve O'Neil"), (Terms{"compani", "don", "o", "neil"}));
  EXPECT_EQ(terms(""), Terms{});
  EXPECT_EQ(terms("the of and"), Terms{});
}

TEST(TermsTest, NumbersStayWhole) {
  EXPECT_EQ(terms("$1,577.50 (1,234,567) 12.5%"), (Terms{"1577.50", "1234567", "12.5"}));
  EXPECT_EQ(terms("1,2,3 in 2022."), (Terms{"1", "2", "3", "2022"}));
  EXPECT_EQ(terms("1,23 12,345,6"), (Terms{"1", "23", "12345", "6"}));
}

TEST(TermsTest, YearsComeOutOfFiscalNames) {
  EXPECT_EQ(terms("FY2022"), (Terms{"fy2022", "2022"}));
  EXPECT_EQ(terms("FY22 Q3"), (Terms{"fy22", "2022", "q3"}));
  EXPECT_EQ(terms("3M A4 covid19"), (Terms{"3m", "a4", "covid19"}));
}

TEST(TermsTest, IdeographsStandAlone) {
  EXPECT_EQ(terms("中文abc"), (Terms{"中", "文", "abc"}));
  EXPECT_EQ(terms("École ПРИВЕТ"), (Terms{"école", "привет"}));
}

TEST(TermsTest, QuestionsLoseTheWordsThatOnlyAsk) {
  EXPECT_EQ(query_terms("According to the report, which segment grew most?"),
            (Terms{"segment", "grew"}));
  EXPECT_EQ(query_terms("How many stores are mentioned in the document?"), (Terms{"store"}));
  EXPECT_EQ(query_terms("Based on the slides, what is the total?"), (Terms{"total"}));
  EXPECT_EQ(query_terms("Please describe the answer"), (Terms{"pleas", "describ", "answer"}));
  EXPECT_EQ(query_terms(""), Terms{});
}

TEST(TermsTest, StemsAndStopWords) {
  EXPECT_EQ(stem("running"), "run");
  EXPECT_EQ(stem("revenues"), "revenu");
  EXPECT_EQ(stem(""), "");
  EXPECT_EQ(stem("\xff\xfe"), "\xff\xfe");
  EXPECT_TRUE(is_stop_word("the"));
  EXPECT_FALSE(is_stop_word("revenue"));
  EXPECT_TRUE(is_question_word("according"));
}

TEST(TermsTest, PhrasesThatNameTheSourceGoAsWholeWords) {
  EXPECT_EQ(query_terms("According to the report, who signs?"), (Terms{"sign"}));
  EXPECT_EQ(query_terms("Based on the slides, who signs?"), (Terms{"sign"}));
  EXPECT_EQ(query_terms("revenue in the reporting period"), (Terms{"revenu", "report", "period"}));
  EXPECT_EQ(query_terms("based on the reported earnings"), (Terms{"report", "earn"}));
  EXPECT_EQ(query_terms("according to the textile industry"), (Terms{"textil", "industri"}));
  EXPECT_EQ(query_terms("in the reports, and in the report"), (Terms{"report"}));
}

TEST(TermsTest, InvalidUtf8IsASeparator) {
  EXPECT_EQ(terms("net\xffsales \xc3"), (Terms{"net", "sale"}));
}

}  // namespace
}  // namespace fineprint::text
