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
