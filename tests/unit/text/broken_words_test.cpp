// Words broken at the ends of lines.
#include "fineprint/text/broken_words.h"

#include <gtest/gtest.h>

#include "fineprint/text/page_parts.h"
#include "fineprint/text/quote.h"

#include "unit/text/page_maker.h"

namespace fineprint::text {
namespace {

using testing::add_element;

// The text of a paragraph of these lines, in a document that also has the line `elsewhere`.
std::string read_as(const std::vector<std::string>& lines, const std::string& elsewhere = "") {
  std::vector<Page> pages(2);
  add_element(&pages[0], ElementKind::paragraph, lines);
  if (!elsewhere.empty()) add_element(&pages[1], ElementKind::paragraph, {elsewhere});
  mark_broken_words(&pages);
  return joined_words(pages[0], run_of(pages[0].lines));
}

TEST(BrokenWords, HyphensThatOnlyBreakAWordAreDropped) {
  EXPECT_EQ(read_as({"The decommis-", "sioning began."}), "The decommissioning began.");
  EXPECT_EQ(read_as({"The long-", "term plan"}, "any longterm plan"), "The longterm plan");
  EXPECT_EQ(read_as({"of DECOMMIS-", "SIONING"}), "of DECOMMISSIONING");
  EXPECT_EQ(read_as({"the decommis\u2010", "sioning"}), "the decommissioning");
}

TEST(BrokenWords, HyphensOfTheWordStay) {
  EXPECT_EQ(read_as({"The long-", "term plan"}, "Our long-term goals."), "The long-term plan");
  EXPECT_EQ(read_as({"a fishing-", "harbour"}, "fishing fishing harbour harbour"),
            "a fishing-harbour");
  EXPECT_EQ(read_as({"the state-of-the-", "art ship"}), "the state-of-the-art ship");
  EXPECT_EQ(read_as({"Anglo-", "American"}), "Anglo-American");
  EXPECT_EQ(read_as({"in COVID-", "19 times"}), "in COVID-19 times");
  EXPECT_EQ(read_as({"a 10-", "year lease"}), "a 10-year lease");
  EXPECT_EQ(read_as({"self-", "made"}), "self-made");
}

TEST(BrokenWords, OtherDashesStayApart) {
  EXPECT_EQ(read_as({"short-", "and long-term"}), "short- and long-term");
  EXPECT_EQ(read_as({"a dash -", "here"}), "a dash - here");
  EXPECT_EQ(read_as({"not- broken here"}), "not- broken here");
}

TEST(BrokenWords, RowsOfTablesAreNotJoined) {
  std::vector<Page> pages(1);
  add_element(&pages[0], ElementKind::table, {"Pre- 5", "sioning-", "boats 7"});
  mark_broken_words(&pages);
  EXPECT_EQ(pages[0].words[2].text, "sioning-");
}

TEST(BrokenWords, LinesArePrintedAsTheyAre) {
  std::vector<Page> pages(1);
  add_element(&pages[0], ElementKind::paragraph, {"The decommis-", "sioning began."});
  add_element(&pages[0], ElementKind::heading, {"On the harbour-", "master"});
  mark_broken_words(&pages);
  EXPECT_EQ(line_text(pages[0], pages[0].lines[0]), "The decommis-");
  EXPECT_EQ(element_text(pages[0], pages[0].elements[1]), "On the harbourmaster");
  EXPECT_EQ(page_text(pages[0]), "The decommis-\nsioning began.\nOn the harbour-\nmaster");
  for (const char* quote : {"The decommissioning began.", "decommis- sioning"}) {
    const auto found = find_quote(pages[0], quote);
    ASSERT_TRUE(found) << quote;
    EXPECT_EQ(found->similarity, 1) << quote;
    EXPECT_EQ(found->boxes.size(), 2U);
  }
}

TEST(BrokenWords, SentencesHoldBothParts) {
  std::vector<Page> pages(1);
  add_element(&pages[0], ElementKind::paragraph, {"It was decommis-", "ed. Then it fell."});
  mark_broken_words(&pages);
  const auto sentences = sentences_in(pages[0], run_of(pages[0].lines));
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(joined_words(pages[0], sentences[0]), "It was decommised.");
}

TEST(BrokenWords, BothSpellingsAreSearchedIfNothingDecides) {
  std::vector<Page> pages(1);
  add_element(&pages[0], ElementKind::paragraph, {"The harbour-", "master and self-", "made men"});
  mark_broken_words(&pages);
  const Chunk chunk{1, 0, 6, {}, "", ""};
  EXPECT_EQ(other_spellings(pages[0], chunk), "harbour master selfmade");
  // Words that occur elsewhere have one spelling.
  add_element(&pages[0], ElementKind::paragraph, {"harbourmaster"});
  std::vector<Page> known(1);
  add_element(&known[0], ElementKind::paragraph, {"The harbour-", "master", "A harbourmaster"});
  mark_broken_words(&known);
  EXPECT_EQ(other_spellings(known[0], chunk), "");
}

}  // namespace
}  // namespace fineprint::text
