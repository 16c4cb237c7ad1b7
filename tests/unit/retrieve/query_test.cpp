// Tests of questions made ready for the scorers.
#include "fineprint/retrieve/query.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/text/terms.h"

namespace fineprint::retrieve {
namespace {

using Terms = std::vector<std::string>;

TEST(Query, NamedPagesAndTheGlossaryCanBeLeftOut) {
  const std::string question = "What were the fixed assets of Acme on page 17?";
  const Query with = prepare_query(question, {});
  EXPECT_EQ(with.named_pages.size(), 1U);
  EXPECT_FALSE(with.added_terms.empty());
  const Query without = prepare_query(question, {}, {.named_pages = false, .glossary = false});
  EXPECT_TRUE(without.named_pages.empty());
  EXPECT_TRUE(without.expansion.empty());
  EXPECT_TRUE(without.added_terms.empty());
  // The words are searched like all others then.
  EXPECT_EQ(std::ranges::count(without.asked_terms, "17"), 1);
  EXPECT_EQ(std::ranges::count(with.asked_terms, "17"), 0);
}

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

TEST(Query, KnowsTermsOfPagesByTheirOtherSpellings) {
  const std::vector<std::string> stored = {"de"};
  const Query query = prepare_query("Wie lautet die Rechnungsnummer?", stored);
  EXPECT_EQ(query.as_asked({"rechnungsnr", "datum"}),
            (std::vector<std::string>{query.asked_terms.at(0), "datum"}));
}

TEST(Query, KeepsWhatIsAskedOnceAndInOrder) {
  const Query query = prepare_query("What did Acme report: net sales, or gross sales?", {});
  EXPECT_EQ(query.asked_terms, text::terms("Acme report net sales gross"));
  EXPECT_TRUE(query.expansion.empty());
  EXPECT_TRUE(query.added_terms.empty());
  EXPECT_TRUE(query.named_pages.empty());
}

TEST(Query, OfVeryManyWordsTheFirstAreLookedUp) {
  std::string question = "pump";
  for (int i = 0; i < 80'000; ++i) question += " zz" + std::to_string(i);
  const Query query = prepare_query(question + " pump", {});
  ASSERT_EQ(query.asked_terms.size(), kMostTerms);
  EXPECT_EQ(query.asked_terms[0], "pump");
  EXPECT_EQ(query.asked_terms[1], "zz0");
  constexpr std::size_t kYears = 200;  // "zz1900" is found as 1900 too, as far as 2099
  EXPECT_EQ(query.terms_left_out, 80'001 + kYears - kMostTerms);
  EXPECT_EQ(prepare_query("What is the pump's capacity?", {}).terms_left_out, 0U);
}

TEST(Query, DropsInstructionsAndSpellsPeriods) {
  const Query query = prepare_query("Net sales of Acme in FY22? Answer in one short sentence.", {});
  EXPECT_EQ(query.asked_terms, text::terms("net sales Acme 2022"));
}

TEST(Query, NamedPagesAreNoTerms) {
  const Query query = prepare_query("Which logo stands on page 17?", {});
  EXPECT_EQ(query.asked_terms, text::terms("logo stands"));
  ASSERT_EQ(query.named_pages.size(), 1U);
  EXPECT_EQ(query.named_pages[0], (text::PageRange{17, 17}));
}

TEST(Query, AddedTermsAreNewOnesAtHalfWeight) {
  const Query query = prepare_query("Acme fixed assets and equipment", {});
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
  EXPECT_TRUE(prepare_query("", {}).weighted_terms().empty());
  EXPECT_TRUE(prepare_query("???", {}).weighted_terms().empty());
}

}  // namespace
}  // namespace fineprint::retrieve
