// Tests of pages as passages.
#include "fineprint/evidence/page_passages.h"

#include <gtest/gtest.h>

#include "support/typed_page.h"

namespace fineprint::evidence {
namespace {

using fineprint::testing::type_element;
using Rows = std::vector<std::vector<std::string>>;

Page table_page(const std::vector<std::string>& lines, const std::string& caption = "") {
  Page page;
  type_element(&page, ElementKind::table, lines, -1, caption);
  return page;
}

Rows rows_of(const std::vector<std::string>& lines) {
  const auto passages = page_passages(table_page(lines));
  return passages.empty() ? Rows() : passages.front().passage.rows;
}

std::string words_text(const Page& page, const std::vector<std::uint32_t>& words) {
  std::string text;
  for (const std::uint32_t word : words) text += (text.empty() ? "" : " ") + page.words[word].text;
  return text;
}

TEST(PagePassagesTest, CellsStandUnderTheirHeads) {
  EXPECT_EQ(rows_of({"                    2019     2018", "Net sales         $ 1,500  $ 1,200",
                     "Cost of sales       (900)    (800)", "Other                  -        7"}),
            (Rows{{"", "2019", "2018"},
                  {"Net sales", "$ 1,500", "$ 1,200"},
                  {"Cost of sales", "(900)", "(800)"},
                  {"Other", "-", "7"}}));
}

TEST(PagePassagesTest, HeadsOfSeveralLinesAreOneAndSpanColumns) {
  const auto passages = page_passages(table_page({"                  Year ended     Share of",
                                                  "(in millions)   2019      2018   revenue %",
                                                  "Revenue           15        12         100",
                                                  "Costs              9         8          60"}));
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].passage.header_rows, 1);
  EXPECT_EQ(passages[0].passage.rows[0],
            (std::vector<std::string>{"(in millions)", "Year ended 2019", "Year ended 2018",
                                      "Share of revenue %"}));
  EXPECT_EQ(passages[0].passage.rows[2], (std::vector<std::string>{"Costs", "9", "8", "60"}));
}

TEST(PagePassagesTest, LabelsAndTextsGoOnInTheNextLine) {
  EXPECT_EQ(rows_of({"                             2019    2018", "Assets:",
                     "Cash provided by operating", "  activities                  15      12",
                     "Cash used in all              (3)     (4)", "  other activities"}),
            (Rows{{"", "2019", "2018"},
                  {"Assets:", "", ""},
                  {"Cash provided by operating activities", "15", "12"},
                  {"Cash used in all other activities", "(3)", "(4)"}}));
  EXPECT_EQ(
      rows_of({"Name      Role", "Ann Lee   Chair of the", "          whole board",
               "Bo Diaz   Auditor"}),
      (Rows{{"Name", "Role"}, {"Ann Lee", "Chair of the whole board"}, {"Bo Diaz", "Auditor"}}));
}

TEST(PagePassagesTest, FiguresWithoutAWideGapAreCellsAllTheSame) {
  EXPECT_EQ(rows_of({"                 2019  2018", "Net sales       1,500 1,200",
                     "Sales, all told 1,600 1,300"}),
            (Rows{{"", "2019", "2018"},
                  {"Net sales", "1,500", "1,200"},
                  {"Sales, all told", "1,600", "1,300"}}));
}

TEST(PagePassagesTest, GroupsOfANumberAreOneCell) {
  EXPECT_EQ(rows_of({"Freight              2019  2018", "Cargo   12 700 tonnes  45 700",
                     "Mail     1 250 000 kg  31 200"}),
            (Rows{{"Freight", "", "2019", "2018"},
                  {"Cargo", "12 700 tonnes", "45", "700"},
                  {"Mail", "1 250 000 kg", "31", "200"}}));
}

TEST(PagePassagesTest, ATableOfFiguresAloneHasNoHead) {
  const auto passages = page_passages(table_page({"Net sales    15", "Costs         9"}));
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].passage.header_rows, 0);
}

TEST(PagePassagesTest, WindowsKeepTheHeads) {
  std::vector<std::string> lines = {"                      2019       2018"};
  for (int i = 0; i < 60; ++i) {
    lines.push_back("Branch number " + std::to_string(100 + i) + "     1,5" +
                    std::to_string(10 + i) + "      1,2" + std::to_string(10 + i));
  }
  const auto passages = page_passages(table_page(lines));
  ASSERT_GT(passages.size(), 1U);
  std::size_t rows = 0;
  for (const PagePassage& window : passages) {
    EXPECT_EQ(window.passage.rows[0], (std::vector<std::string>{"", "2019", "2018"}));
    EXPECT_LE(estimated_pieces(window.passage), 240U);
    rows += window.passage.rows.size() - 1;
  }
  EXPECT_EQ(rows, 60U);
}

TEST(PagePassagesTest, PlacesLeadBackToTheWords) {
  const Page page = table_page({"                 Year ended", "              2019     2018",
                                "Net sales    $ 1,500    1,200"});
  const auto passages = page_passages(page);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(words_text(page, passages[0].words_at({1, 1})), "$ 1,500");
  EXPECT_EQ(words_text(page, passages[0].words_at({0, 2})), "Year ended 2018");
  EXPECT_EQ(passages[0].all_words().size(), page.words.size());

  Page text;
  type_element(&text, ElementKind::paragraph, {"Ann Lee chairs", "the board."});
  const auto read = page_passages(text);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].passage.text, "Ann Lee chairs the board.");
  EXPECT_EQ(words_text(text, read[0].words_at({-1, -1, 4, 10})), "Lee chairs");
  EXPECT_EQ(words_text(text, read[0].words_at({-1, -1, 19, 24})), "board.");
}

TEST(PagePassagesTest, ContextIsHeadingsCaptionAndUnits) {
  Page page;
  type_element(&page, ElementKind::heading, {"Results"});
  type_element(&page, ElementKind::paragraph, {"All figures in millions of dollars."}, 0);
  type_element(&page, ElementKind::heading, {"By segment"}, 0);
  type_element(
      &page, ElementKind::table,
      {"Table 1: Segments", "        2019  2018", "Tools     15    12", "Paint      9     8"}, 2,
      "Table 1: Segments");
  const auto passages = page_passages(page);
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(passages[0].passage.context, "Results");
  EXPECT_EQ(passages[1].passage.context,
            "Results By segment Table 1: Segments All figures in millions of dollars.");
  EXPECT_EQ(passages[1].passage.rows[0], (std::vector<std::string>{"", "2019", "2018"}));
}

TEST(PagePassagesTest, ParagraphsUnderOneHeadingAreJoinedUntilTheyAreFull) {
  std::vector<std::string> lines;
  for (int i = 0; i < 5; ++i) lines.push_back("This is a sentence of seven words.");
  Page page;
  type_element(&page, ElementKind::heading, {"One"});
  type_element(&page, ElementKind::paragraph, lines, 0);
  type_element(&page, ElementKind::paragraph, lines, 0);
  type_element(&page, ElementKind::paragraph, lines, 0);
  type_element(&page, ElementKind::heading, {"Two"});
  type_element(&page, ElementKind::paragraph, lines, 4);
  type_element(&page, ElementKind::furniture, {"Annual report, page 7"});
  const auto passages = page_passages(page);
  ASSERT_EQ(passages.size(), 3U);
  EXPECT_EQ(passages[0].text_words.size(), 70U);
  EXPECT_EQ(passages[1].text_words.size(), 35U);
  EXPECT_EQ(passages[2].passage.context, "Two");
}

TEST(PagePassagesTest, LongSentencesAreCut) {
  std::vector<std::string> lines(50, "word after word after word");
  Page page;
  type_element(&page, ElementKind::paragraph, lines);
  const auto passages = page_passages(page);
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(passages[0].text_words.size(), 180U);
  EXPECT_EQ(passages[1].text_words.size(), 70U);
}

TEST(PagePassagesTest, RunningTextAmongRowsIsText) {
  const auto passages = page_passages(
      table_page({"The annual bonus of a director may not exceed eighty per cent of pay.",
                  "      2019  2018", "Tools   15    12", "Paint    9     8"}));
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(passages[0].passage.text,
            "The annual bonus of a director may not exceed eighty per cent of pay.");
  EXPECT_EQ(passages[1].passage.rows.size(), 3U);
}

TEST(PagePassagesTest, RowsOfFiguresOutsideTablesAreATable) {
  Page page;
  type_element(
      &page, ElementKind::paragraph,
      {"             2019   2018", "Net sales   1,500  1,200", "Costs         900    800"});
  const auto passages = page_passages(page);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].passage.rows[2], (std::vector<std::string>{"Costs", "900", "800"}));
}

TEST(PagePassagesTest, PagesWithoutWordsOrWithoutBoxesAreNoTrouble) {
  EXPECT_TRUE(page_passages(Page()).empty());
  Page page = table_page({"Net sales   1,500  1,200", "Costs   900    800"});
  page.elements.push_back({.kind = ElementKind::figure, .box = {}, .caption = ""});
  for (Word& word : page.words) word.box = {5, 5, 5, 1};
  for (const PagePassage& passage : page_passages(page)) {
    EXPECT_LE(passage.all_words().size(), page.words.size());
  }
}

TEST(PagePassagesTest, LabelsAndValuesAreSentences) {
  Page page;
  type_element(&page, ElementKind::heading, {"Register of Anstey"});
  type_element(&page, ElementKind::table,
               {"Vessel        Merry Heron", "Skipper:      Ines Farrow", "Length ...... 11.4 m",
                "Rafts tested  \u2610"},
               0);
  const auto passages = page_passages(page);
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].passage.context, "Register of Anstey");
  EXPECT_EQ(passages[0].passage.text,
            "Vessel: Merry Heron. Skipper: Ines Farrow. Length: 11.4 m. Rafts tested: no.");
  const auto begin = static_cast<std::uint32_t>(passages[0].passage.text.find("Ines"));
  EXPECT_EQ(words_text(page, passages[0].words_at({-1, -1, begin, begin + 11})), "Ines Farrow");
}

TEST(PagePassagesTest, ALabelBelowItsValueComesFirst) {
  const auto passages =
      page_passages(testing::typed_page({"Haldane Potteries Inc.", "(Exact name of registrant)"}));
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].passage.text, "Exact name of registrant: Haldane Potteries Inc.");
}

}  // namespace
}  // namespace fineprint::evidence
