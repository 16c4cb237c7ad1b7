// Tests of the words that the glossary adds for accounting terms.
#include "fineprint/text/glossary.h"

#include <string>

#include <gtest/gtest.h>

#include "fineprint/text/terms.h"

namespace fineprint::text {
namespace {

TEST(Glossary, KnowsAbbreviationsHoweverTheyAreTyped) {
  EXPECT_EQ(glossary_expansion("What is Acme's PP&E?"), "property plant and equipment");
  EXPECT_EQ(glossary_expansion("Acme's ppe"), "property plant and equipment");
  EXPECT_EQ(glossary_expansion("SG&A's share"), "selling general and administrative expenses");
  EXPECT_EQ(glossary_expansion("spending on R & D"), "research and development");
  EXPECT_EQ(glossary_expansion("the CEO"), "chief executive officer");
}

TEST(Glossary, KnowsRatiosInAnyForm) {
  EXPECT_EQ(glossary_expansion("Working-capital needs"),
            "total current assets total current liabilities balance sheet");
  EXPECT_EQ(glossary_expansion("debt-to-equity"),
            "long-term debt total shareholders equity balance sheet");
  EXPECT_EQ(glossary_expansion("Effective tax rates"),
            "income tax expense earnings before income tax");
  EXPECT_EQ(glossary_expansion("payout ratio"), "dividends paid net income");
}

TEST(Glossary, EachPhraseCanBeReached) {
  for (const char* phrase : {"capex",
                             "cost of goods sold",
                             "EPS",
                             "D&A",
                             "EBITDA",
                             "FCF",
                             "M&A",
                             "AGM",
                             "P&L",
                             "statement of financial position",
                             "top line",
                             "bottom line",
                             "capital intensity",
                             "free cash flow",
                             "gross margin",
                             "gross profit margin",
                             "operating profit margin",
                             "profit margin",
                             "acid test",
                             "return on assets",
                             "return on total assets",
                             "return on invested capital",
                             "interest coverage",
                             "days inventory",
                             "days payable",
                             "days sales outstanding"}) {
    EXPECT_FALSE(glossary_expansion("What is the " + std::string(phrase) + " of Acme?").empty())
        << phrase;
  }
}

TEST(Glossary, WordsWithinWordsAndOtherOrdersAreNothing) {
  EXPECT_EQ(glossary_expansion("stepson of Ebitson"), "");
  EXPECT_EQ(glossary_expansion("quickratio"), "");
  EXPECT_EQ(glossary_expansion("ratio quick"), "");
  EXPECT_EQ(glossary_expansion(""), "");
}

TEST(Glossary, TheLongerPhraseHidesTheOneWithinIt) {
  EXPECT_EQ(glossary_expansion("gross profit margin"),
            "gross profit cost of sales revenue net sales");
  EXPECT_EQ(glossary_expansion("operating profit margin"), "operating income revenue net sales");
  EXPECT_EQ(glossary_expansion("gross profit margin or profit margin"),
            "gross profit cost of sales revenue net sales net income net earnings revenue net "
            "sales");
}

TEST(Glossary, NamesMeasuresByTheirNouns) {
  const std::vector<OtherWord> words = measure_nouns("How wide is the stall, and how high?");
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].asked, stem("wide"));
  EXPECT_EQ(words[0].printed, stem("width"));
  EXPECT_EQ(words[1].printed, stem("height"));
  EXPECT_TRUE(measure_nouns("Which wide stall is free?").empty());
}

}  // namespace
}  // namespace fineprint::text
