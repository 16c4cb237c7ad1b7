// Tests of questions made ready for the scorers, and of the glossary's part in them.
#include "fineprint/retrieve/query.h"

#include <gtest/gtest.h>

#include "fineprint/text/terms.h"

#include "retrieve/glossary.h"

namespace fineprint::retrieve {
namespace {

using Terms = std::vector<std::string>;

TEST(QueryLanguage, IsToldAndItsTermsAreSpeltForStoredPages) {
  const std::vector<std::string> stored = {"de", "en"};
  const Query german = prepare_query("Wie viele Mitarbeiterinnen sind es?", stored);
  EXPECT_EQ(german.language, "de");
  EXPECT_EQ(german.asked_terms, text::terms("Mitarbeiterinnen", "de"));
  EXPECT_EQ(german.spellings.at(german.asked_terms[0]), text::terms("Mitarbeiterinnen", "en"));
  const Query english = prepare_query("What did Acme report?", std::vector<std::string>{"en"});
  EXPECT_EQ(english.language, "en");
  EXPECT_TRUE(english.spellings.empty());
}

TEST(Query, KeepsWhatIsAskedOnceAndInOrder) {
  const Query query = prepare_query("What did Acme report: net sales, or gross sales?");
  EXPECT_EQ(query.asked_terms, text::terms("Acme report net sales gross"));
  EXPECT_TRUE(query.expansion.empty());
  EXPECT_TRUE(query.added_terms.empty());
  EXPECT_TRUE(query.named_pages.empty());
}

TEST(Query, OfVeryManyWordsTheFirstAreLookedUp) {
  std::string question = "pump";
  for (int i = 0; i < 80'000; ++i) question += " zz" + std::to_string(i);
  const Query query = prepare_query(question + " pump");
  ASSERT_EQ(query.asked_terms.size(), kMostTerms);
  EXPECT_EQ(query.asked_terms[0], "pump");
  EXPECT_EQ(query.asked_terms[1], "zz0");
  constexpr std::size_t kYears = 200;  // "zz1900" is found as 1900 too, as far as 2099
  EXPECT_EQ(query.terms_left_out, 80'001 + kYears - kMostTerms);
  EXPECT_EQ(prepare_query("What is the pump's capacity?").terms_left_out, 0U);
}

TEST(Query, DropsInstructionsAndSpellsPeriods) {
  const Query query = prepare_query("Net sales of Acme in FY22? Answer in one short sentence.");
  EXPECT_EQ(query.asked_terms, text::terms("net sales Acme 2022"));
}

TEST(Query, NamedPagesAreNoTerms) {
  const Query query = prepare_query("Which logo stands on page 17?");
  EXPECT_EQ(query.asked_terms, text::terms("logo stands"));
  ASSERT_EQ(query.named_pages.size(), 1U);
  EXPECT_EQ(query.named_pages[0], (text::PageRange{17, 17}));
}

TEST(Query, AddedTermsAreNewOnesAtHalfWeight) {
  const Query query = prepare_query("Acme fixed assets and equipment");
  EXPECT_EQ(query.expansion, "property plant and equipment net");
  EXPECT_EQ(query.asked_terms, text::terms("Acme fixed assets equipment"));
  EXPECT_EQ(query.added_terms, text::terms("property plant net"));
  Terms terms;
  double weight = 0;
  for (const WeightedTerm& term : query.weighted_terms()) {
    terms.push_back(term.term);
    weight += term.weight;
  }
  EXPECT_EQ(terms, text::terms("Acme fixed assets equipment property plant net"));
  EXPECT_DOUBLE_EQ(weight, 4 + 3 * kExpansionWeight);
}

TEST(Query, OfNothingIsEmpty) {
  EXPECT_TRUE(prepare_query("").weighted_terms().empty());
  EXPECT_TRUE(prepare_query("???").weighted_terms().empty());
}

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

}  // namespace
}  // namespace fineprint::retrieve
