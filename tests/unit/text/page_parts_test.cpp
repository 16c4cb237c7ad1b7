// Tests of the lines, texts, headings and sentences of a page.
#include "fineprint/text/page_parts.h"

#include <gtest/gtest.h>

#include "unit/text/page_maker.h"

namespace fineprint::text {
namespace {

using testing::add_element;
using Runs = std::vector<WordRun>;

Page page_of_lines(const std::vector<std::string>& lines, const std::string& language = {}) {
  Page page;
  page.language = language;
  add_element(&page, ElementKind::paragraph, lines);
  return page;
}

WordRun all_words_of(const Page& page) { return run_of(page.lines); }

TEST(PageParts, ElementsHaveLinesAndWords) {
  Page page;
  add_element(&page, ElementKind::heading, {"Sales of", "the group"}, 14);
  add_element(&page, ElementKind::figure, {});
  add_element(&page, ElementKind::paragraph, {"They rose", "by 5%", "in May"}, 9);
  page.words[7].size_pt = 11;  // "5%" is a little larger
  EXPECT_EQ(lines_of(page, page.elements[2]).size(), 3U);
  EXPECT_EQ(run_of(lines_of(page, page.elements[2])), (WordRun{4, 10}));
  EXPECT_EQ(run_of(lines_of(page, page.elements[2]).subspan(1, 1)), (WordRun{6, 8}));
  EXPECT_EQ(element_text(page, page.elements[0]), "Sales of the group");
  EXPECT_EQ(largest_size_pt(page, page.elements[2]), 11);

  EXPECT_EQ(run_of(lines_of(page, page.elements[1])), WordRun());
  EXPECT_EQ(element_text(page, page.elements[1]), "");
  EXPECT_EQ(largest_size_pt(page, page.elements[1]), 0);
}

TEST(PageParts, WrongIndexesGiveFewerLines) {
  Page page = page_of_lines({"one", "two"});
  page.elements[0].line_count = 9;
  EXPECT_EQ(lines_of(page, page.elements[0]).size(), 2U);
  page.elements[0].first_line = 7;
  EXPECT_TRUE(lines_of(page, page.elements[0]).empty());
}

TEST(PageParts, WordsAreJoinedAsTheirScriptWrites) {
  EXPECT_EQ(joined_words(page_of_lines({"net sales", "rose"}), {1, 3}), "sales rose");
  EXPECT_EQ(joined_words(page_of_lines({"現金 は", "三月"}), {0, 3}), "現金は三月");
  EXPECT_EQ(joined_words(page_of_lines({"net sales"}), {1, 1}), "");
}

TEST(PageParts, HeadingsAreOutermostFirst) {
  Page page;
  add_element(&page, ElementKind::heading, {"Annual", "report"}, 20, 1);
  add_element(&page, ElementKind::heading, {"Sales"}, 14, 2, 0);
  add_element(&page, ElementKind::paragraph, {"They rose."}, 10, 0, 1);
  EXPECT_EQ(headings_above(page, page.elements[2]), "Annual report Sales");
  EXPECT_EQ(headings_above(page, page.elements[1]), "Annual report");
  EXPECT_EQ(headings_above(page, page.elements[0]), "");
}

TEST(PageParts, SentencesAreRunsOfWordsAcrossLines) {
  const Page page = page_of_lines({"Sales rose. The U.S.", "market led. Costs", "fell"});
  EXPECT_EQ(sentences_in(page, all_words_of(page)), (Runs{{0, 2}, {2, 6}, {6, 8}}));
  EXPECT_EQ(sentences_in(page, {4, 8}), (Runs{{4, 6}, {6, 8}}));
  EXPECT_TRUE(sentences_in(page, {}).empty());
}

TEST(PageParts, AWordOfTwoSentencesBelongsToTheFirst) {
  // "増。費用" ends a sentence and begins the next, and "減。" ends that one.
  const Page page = page_of_lines({"売上 増。費用 減。"}, "ja");
  EXPECT_EQ(sentences_in(page, all_words_of(page)), (Runs{{0, 2}, {2, 3}}));
  // The second sentence has no word of its own.
  const Page one_word = page_of_lines({"売上。費用。"}, "ja");
  EXPECT_EQ(sentences_in(one_word, all_words_of(one_word)), (Runs{{0, 1}}));
}

TEST(PageParts, TheLanguageOfThePageSplitsSentences) {
  const std::vector<std::string> lines = {"Am 12. Mai stieg", "der Umsatz. Er fiel."};
  const Page german = page_of_lines(lines, "de");
  EXPECT_EQ(sentences_in(german, all_words_of(german)), (Runs{{0, 6}, {6, 8}}));
  const Page english = page_of_lines(lines);
  EXPECT_EQ(sentences_in(english, all_words_of(english)), (Runs{{0, 2}, {2, 6}, {6, 8}}));
}

}  // namespace
}  // namespace fineprint::text
