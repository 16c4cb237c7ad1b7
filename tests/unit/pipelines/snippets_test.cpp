// Tests of cutting pages into sentences and table rows.
#include "pipelines/reading/snippets.h"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>

#include "fineprint/text/quote.h"

#include "support/small_store.h"

namespace fineprint::pipelines {
namespace {

using testing::type_element;

std::vector<std::string> texts_of(const Page& page) {
  std::vector<std::string> texts;
  for (const Snippet& snippet : snippets_of(page)) texts.push_back(snippet.text);
  return texts;
}

Page report_page() {
  Page page;
  type_element(&page, ElementKind::furniture, {"Acme annual report"});
  type_element(&page, ElementKind::heading, {"Income of", "the group"});
  type_element(&page, ElementKind::paragraph,
               {"Sales of the group grew by 12% to $1,234 million. The",
                "U.S. market led. Costs did not change", "at all"},
               1);
  type_element(&page, ElementKind::table,
               {"Millions of dollars", "            2022   2021", "Net sales  1,234  1,100",
                "Net income    98     87"},
               1, "Table 4");
  type_element(&page, ElementKind::list_item, {"• Cash is king"});
  type_element(&page, ElementKind::furniture, {"Page 7"});
  return page;
}

TEST(Snippets, AreSentencesAndRowsWithoutFurniture) {
  EXPECT_EQ(texts_of(report_page()),
            (std::vector<std::string>{
                "Income of the group", "Sales of the group grew by 12% to $1,234 million.",
                "The U.S. market led.", "Costs did not change at all", "Millions of dollars",
                "2022 2021", "Net sales 1,234 1,100", "Net income 98 87", "• Cash is king"}));
}

TEST(Snippets, ALineOfFiguresMayGoOnWithASentence) {
  Page page;
  type_element(
      &page, ElementKind::paragraph,
      {"The tide was highest at the quay of station", "4, with 412 cm, and low at 9, with 88."});
  EXPECT_EQ(texts_of(page), (std::vector<std::string>{
                                "The tide was highest at the quay of station 4, with 412 cm, and "
                                "low at 9, with 88."}));
  Page table;
  type_element(&table, ElementKind::paragraph,
               {"Year     Sales in the   Costs", "2019     5       4"});
  EXPECT_EQ(texts_of(table).size(), 2U);
}

TEST(Snippets, KnowWhatTheyStandUnder) {
  const Page page = report_page();
  const std::vector<Snippet> snippets = snippets_of(page);
  EXPECT_EQ(snippets[0].context, "");
  EXPECT_EQ(snippets[1].context, "Income of the group");
  EXPECT_FALSE(snippets[1].is_row);
  EXPECT_EQ(snippets[4].context, "Income of the group Table 4");
  EXPECT_EQ(snippets[5].column_word_count, 0U);  // the row that names the columns itself
  EXPECT_TRUE(snippets[5].names_columns);
  EXPECT_FALSE(snippets[6].names_columns);
  EXPECT_TRUE(snippets[6].is_row);
  EXPECT_EQ(snippets[6].context, "Income of the group Table 4 2022 2021");
  EXPECT_EQ(snippets[6].column_word_count, 2U);
  EXPECT_EQ(page.words[snippets[6].first_column_word].text, "2022");
  EXPECT_EQ(snippets[8].context, "");
}

TEST(Snippets, ARowWithoutHeadingHasNoBlankBeforeItsColumns) {
  Page page;
  type_element(&page, ElementKind::table, {"Item  2022  2021", "Cash    12    10"});
  EXPECT_EQ(snippets_of(page).back().context, "Item 2022 2021");
}

TEST(Snippets, LinesOfFiguresInRunningTextAreRows) {
  Page page;
  type_element(&page, ElementKind::paragraph,
               {"The figures of two years", "Cash 12 10", "are all that is known."});
  EXPECT_EQ(texts_of(page), (std::vector<std::string>{"The figures of two years", "Cash 12 10",
                                                      "are all that is known."}));
  EXPECT_TRUE(snippets_of(page)[1].is_row);
}

TEST(Snippets, LongSentencesAreCut) {
  std::string sentence;
  for (int i = 0; i < 130; ++i) sentence += "word ";
  Page page;
  type_element(&page, ElementKind::paragraph, {sentence});
  std::vector<std::uint32_t> counts, firsts;
  for (const Snippet& snippet : snippets_of(page)) {
    firsts.push_back(snippet.first_word);
    counts.push_back(snippet.word_count);
  }
  EXPECT_EQ(firsts, (std::vector<std::uint32_t>{0, 60, 120}));
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{60, 60, 10}));
}

TEST(Snippets, OfChineseAreSentencesWithoutBlanksAtLineEnds) {
  Page page;
  page.language = "zh";
  type_element(&page, ElementKind::paragraph,
               {"收入为3.86亿元，比上", "年增长12.7%。 成本为2.94亿", "元。 净利润为",
                "4,120万元，即 Acme", "与 2022 年"});
  EXPECT_EQ(texts_of(page),
            (std::vector<std::string>{"收入为3.86亿元，比上年增长12.7%。", "成本为2.94亿元。",
                                      "净利润为4,120万元，即 Acme 与2022年"}));
  for (const Snippet& snippet : snippets_of(page)) {
    const auto place = text::find_quote(page, snippet.text);
    ASSERT_TRUE(place.has_value()) << snippet.text;
    EXPECT_EQ(place->first_word, snippet.first_word) << snippet.text;
  }
}

TEST(Snippets, OfGermanGoOnBehindOrdinalNumbers) {
  Page page;
  page.language = "de";
  type_element(&page, ElementKind::paragraph,
               {"Das neue Werk im Norden ging am 12. März 2024", "in Betrieb. Gut."});
  EXPECT_EQ(texts_of(page),
            (std::vector<std::string>{"Das neue Werk im Norden ging am 12. März 2024 in Betrieb.",
                                      "Gut."}));
}

TEST(Snippets, OfPagesWithoutText) {
  EXPECT_TRUE(snippets_of(Page{}).empty());
  Page page;
  type_element(&page, ElementKind::figure, {});
  type_element(&page, ElementKind::paragraph, {"• 1)"});  // a mark
  EXPECT_TRUE(snippets_of(page).empty());
  type_element(&page, ElementKind::heading, {"現金"});
  EXPECT_EQ(texts_of(page), (std::vector<std::string>{"現金"}));
}

// Bullets and the like, of which no snippet is made.
bool is_mark(const std::string& word) {
  return std::count_if(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c); }) <
         3;
}

TEST(Snippets, HoldEveryWordOfTheBodyOnce) {
  Page page = report_page();
  type_element(&page, ElementKind::paragraph,
               {"\"Quoted?\" he asked. No. 5 is e.g. here!Glued to that. A", "", "b.  End ..."});
  std::vector<int> held(page.words.size());
  for (const Snippet& snippet : snippets_of(page)) {
    for (std::uint32_t i = 0; i < snippet.word_count; ++i) ++held[snippet.first_word + i];
  }
  for (const Element& element : page.elements) {
    for (std::uint32_t l = 0; l < element.line_count; ++l) {
      const Line& line = page.lines[element.first_line + l];
      for (std::uint32_t i = line.first_word; i < line.first_word + line.word_count; ++i) {
        const std::string& word = page.words[i].text;
        const bool left_out = held[i] == 0 && is_mark(word);
        const int wanted = element.kind == ElementKind::furniture || left_out ? 0 : 1;
        EXPECT_EQ(held[i], wanted) << word;
      }
    }
  }
}

TEST(Snippets, CanBeFoundOnTheirPage) {
  const Page page = report_page();
  for (const Snippet& snippet : snippets_of(page)) {
    const auto place = text::find_quote(page, snippet.text);
    ASSERT_TRUE(place.has_value()) << snippet.text;
    EXPECT_EQ(place->first_word, snippet.first_word) << snippet.text;
    EXPECT_EQ(place->word_count, snippet.word_count) << snippet.text;
  }
}

TEST(Snippets, AreNotCutWithinABrokenWord) {
  std::vector<std::string> lines(1);
  for (int i = 0; i < 59; ++i) lines[0] += "long ";
  lines[0] += "sys\u00AD";
  lines.push_back("tem of parts");
  Page page;
  type_element(&page, ElementKind::paragraph, lines);
  const std::vector<std::string> texts = texts_of(page);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(texts[0].ends_with("long"));
  EXPECT_EQ(texts[1], "system of parts");
}

TEST(Snippets, KnowWhetherTheyAreHeadings) {
  const std::vector<Snippet> snippets = snippets_of(report_page());
  EXPECT_TRUE(snippets[0].is_heading);
  EXPECT_FALSE(snippets[1].is_heading);
}

}  // namespace
}  // namespace fineprint::pipelines
