// Tests of pages as Markdown.
#include "fineprint/evidence/page_markdown.h"

#include <gtest/gtest.h>

#include "support/typed_page.h"

namespace fineprint::evidence {
namespace {

using fineprint::testing::type_element;

std::string markdown_of(ElementKind kind, const std::vector<std::string>& lines) {
  Page page;
  type_element(&page, kind, lines);
  if (kind == ElementKind::heading) page.elements.front().level = 2;
  return page_markdown(page);
}

TEST(PageMarkdown, BlocksStandApartAndItemsTogether) {
  Page page;
  type_element(&page, ElementKind::furniture, {"Annual report 2026"});
  type_element(&page, ElementKind::heading, {"The ferry"});
  page.elements.back().level = 1;
  type_element(&page, ElementKind::paragraph, {"It was built", "in 1964."});
  type_element(&page, ElementKind::list_item, {"• one deck"});
  type_element(&page, ElementKind::list_item, {"2. two engines"});
  type_element(&page, ElementKind::paragraph, {"It is white."});
  EXPECT_EQ(page_markdown(page),
            "# The ferry\n\nIt was built in 1964.\n\n- one deck\n2. two engines\n\nIt is white.\n");
}

TEST(PageMarkdown, TablesHaveHeadsAndCaptions) {
  Page page;
  type_element(&page, ElementKind::table,
               {"                    2019     2018", "Net sales         $ 1,500  $ 1,200",
                "Cost | of sales     (900)    (800)"},
               -1, "Table 1: Income");
  EXPECT_EQ(page_markdown(page),
            "*Table 1: Income*\n\n|  | 2019 | 2018 |\n| --- | --- | --- |\n"
            "| Net sales | $ 1,500 | $ 1,200 |\n| Cost \\| of sales | (900) | (800) |\n");
}

TEST(PageMarkdown, ATableWithoutHeadsHasEmptyOnes) {
  EXPECT_EQ(markdown_of(ElementKind::table, {"Net sales    15", "Costs         9"}),
            "|  |  |\n| --- | --- |\n| Net sales | 15 |\n| Costs | 9 |\n");
}

TEST(PageMarkdown, AFormHasAPairInEachRowAndNoHeads) {
  EXPECT_EQ(markdown_of(ElementKind::table,
                        {"Family name     Farrow", "Given name      Ines",
                         "Telephone       020 555 0191", "Locker", "Insured         \u2612"}),
            "|  |  |\n| --- | --- |\n| Family name | Farrow |\n| Given name | Ines |\n"
            "| Telephone | 020 555 0191 |\n| Locker |  |\n| Insured | \u2612 |\n");
}

using Rows = std::vector<std::vector<std::string>>;

TEST(PageTable, HeadsOverOthersAreRowsOfTheirOwn) {
  Page page;
  type_element(&page, ElementKind::table,
               {"              Savings in per cent", "Cycle          Top speed    When idle",
                "North            5.9          2.4", "South            1.1          2.2"});
  const PageTable table = page_table(page, page.elements.front());
  EXPECT_EQ(table.rows, (Rows{{"Cycle", "Savings in per cent", "Savings in per cent"},
                              {"Cycle", "Top speed", "When idle"},
                              {"North", "5.9", "2.4"},
                              {"South", "1.1", "2.2"}}));
  EXPECT_EQ(table.header_rows, 2);
  ASSERT_EQ(table.cells.size(), 10U);
  EXPECT_EQ(table.cells[0].rows, 2);
  EXPECT_EQ(table.cells[1].columns, 2);
  EXPECT_TRUE(table.cells[3].is_head);
  EXPECT_FALSE(table.cells[4].is_head);
  EXPECT_NE(page_markdown(page).find("| Cycle | Savings in per cent Top speed |"),
            std::string::npos);
}

TEST(PageTable, LinesOfOneHeadAreOneCell) {
  Page page;
  type_element(&page, ElementKind::table,
               {"              Average     Longest", "Port          stay        stay",
                "Oslo             2.5         9.0", "Moss             1.5         4.0"});
  const PageTable table = page_table(page, page.elements.front());
  EXPECT_EQ(table.rows.front(), (std::vector<std::string>{"Port", "Average stay", "Longest stay"}));
  EXPECT_EQ(table.header_rows, 1);
}

TEST(PageTable, LeadersAreNoCellsButMissingValuesAre) {
  Page page;
  type_element(&page, ElementKind::table,
               {"Port              2019     2018", "Oslo. . . . . .    5.5      4.5",
                "Moss.........      ..       2.5", "Bergen . . . .     3.5      .."});
  EXPECT_EQ(page_table(page, page.elements.front()).rows, (Rows{{"Port", "2019", "2018"},
                                                                {"Oslo.", "5.5", "4.5"},
                                                                {"Moss", "..", "2.5"},
                                                                {"Bergen", "3.5", ".."}}));
}

TEST(PageTable, BoldHeadsEndAboveOtherLines) {
  Page page;
  type_element(&page, ElementKind::table,
               {"Level        Share of all", "Low          up to a half", "Middle       up to all",
                "High         120"});
  for (Word& word : page.words) word.bold = word.box.y0 == page.words.front().box.y0;
  EXPECT_EQ(page_table(page, page.elements.front()).rows, (Rows{{"Level", "Share of all"},
                                                                {"Low", "up to a half"},
                                                                {"Middle", "up to all"},
                                                                {"High", "120"}}));
}

// "(000's)" is no amount, which would end the heads.
TEST(PageTable, BoldHeadsOverSomeColumnsAreFollowedByTheOthers) {
  Page page;
  type_element(
      &page, ElementKind::table,
      {"                          Dec", "Route     Seats (000's)   Load    Fares",
       "North               120    75.5       19", "South               310    66.0       25"});
  for (Word& word : page.words) word.bold = word.box.y0 == page.words.front().box.y0;
  const PageTable table = page_table(page, page.elements.front());
  EXPECT_EQ(table.header_rows, 1);
  EXPECT_EQ(table.rows.front(),
            (std::vector<std::string>{"Route", "Seats (000's)", "Dec Load", "Fares"}));
}

TEST(PageTable, APairOfAmountsIsNoHead) {
  Page page;
  type_element(&page, ElementKind::table,
               {"Measurement      Value         Status", "Blood pressure   142/88 mmHg   high",
                "Heart rate       78 bpm        normal"});
  EXPECT_EQ(page_table(page, page.elements.front()).rows,
            (Rows{{"Measurement", "Value", "Status"},
                  {"Blood pressure", "142/88 mmHg", "high"},
                  {"Heart rate", "78 bpm", "normal"}}));
}

TEST(PageMarkdown, WhatMarkdownWouldReadIsEscaped) {
  EXPECT_EQ(markdown_of(ElementKind::heading, {"a*b [c] <d>"}), "## a\\*b \\[c\\] \\<d\\>\n");
  EXPECT_EQ(markdown_of(ElementKind::paragraph, {"# no heading"}), "\\# no heading\n");
  EXPECT_EQ(markdown_of(ElementKind::paragraph, {"1. no list"}), "1\\. no list\n");
  EXPECT_EQ(markdown_of(ElementKind::paragraph, {"1964 was"}), "1964 was\n");
  EXPECT_EQ(markdown_of(ElementKind::list_item, {"- - x"}), "- \\- x\n");
}

TEST(PageMarkdown, AnEmptyPageIsEmpty) {
  EXPECT_EQ(page_markdown({}), "");
  EXPECT_EQ(markdown_of(ElementKind::furniture, {"7"}), "");
}

}  // namespace
}  // namespace fineprint::evidence
