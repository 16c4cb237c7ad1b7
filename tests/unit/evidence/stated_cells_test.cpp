// Stated cells in passages, Markdown and tables of pages.
#include <gtest/gtest.h>

#include "fineprint/evidence/page_markdown.h"
#include "fineprint/evidence/page_passages.h"

namespace fineprint::evidence {
namespace {

// A table on its second page: the heads and the label of the first row are on the page before.
//   Kind | Summer     | Winter
//        | day | week |
//   Yacht| 31  | 180  | 12
//        | 30  | 170  | 11
Page fees() {
  Page page;
  page.number = 2;
  page.language = "en";
  const auto add = [&](const std::string& text) {
    const auto at = static_cast<float>(page.words.size());
    page.words.push_back({text, {10 * at, 0, 10 * at + 8, 10}, 10, 1, false, false});
  };
  for (const char* text : {"31", "180", "12", "30", "170", "11"}) add(text);
  page.lines = {{0, 3, {0, 0, 28, 10}}, {3, 3, {30, 0, 58, 10}}};
  Element table;
  table.kind = ElementKind::table;
  table.line_count = 2;
  const auto head = [](std::uint16_t row, std::uint16_t column, std::uint16_t rows,
                       std::uint16_t columns, const char* text) {
    return StatedCell{row, column, rows, columns, true, 0, 0, text};
  };
  table.cells = {head(0, 0, 2, 1, "Kind"),   head(0, 1, 1, 2, "Summer"),
                 head(0, 3, 2, 1, "Winter"), head(1, 1, 1, 1, "day"),
                 head(1, 2, 1, 1, "week"),   {2, 0, 2, 1, false, 0, 0, "Yacht"}};
  for (std::uint16_t i = 0; i < 6; ++i) {
    table.cells.push_back({static_cast<std::uint16_t>(2 + i / 3),
                           static_cast<std::uint16_t>(1 + i % 3), 1, 1, false, i, 1, ""});
  }
  page.elements = {table};
  return page;
}

using Rows = std::vector<std::vector<std::string>>;

TEST(StatedCells, AreRowsOfTheTable) {
  const Page page = fees();
  const PageTable table = page_table(page, page.elements[0]);
  EXPECT_EQ(table.rows, (Rows{{"Kind", "Summer", "Summer", "Winter"},
                              {"Kind", "day", "week", "Winter"},
                              {"Yacht", "31", "180", "12"},
                              {"Yacht", "30", "170", "11"}}));
  EXPECT_EQ(table.header_rows, 2);
  EXPECT_EQ(table.cells.size(), 12U);
}

TEST(StatedCells, JoinTheirHeadsInMarkdown) {
  EXPECT_EQ(page_markdown(fees()),
            "| Kind | Summer day | Summer week | Winter |\n| --- | --- | --- | --- |\n"
            "| Yacht | 31 | 180 | 12 |\n| Yacht | 30 | 170 | 11 |\n");
}

TEST(StatedCells, ArePassagesWithTheWordsOfThePage) {
  const std::vector<PagePassage> passages = page_passages(fees());
  ASSERT_EQ(passages.size(), 1U);
  EXPECT_EQ(passages[0].passage.header_rows, 1);
  EXPECT_EQ(passages[0].passage.rows, (Rows{{"Kind", "Summer day", "Summer week", "Winter"},
                                            {"Yacht", "31", "180", "12"},
                                            {"Yacht", "30", "170", "11"}}));
  EXPECT_EQ(passages[0].words_at({.row = 2, .column = 3}), std::vector<std::uint32_t>{5});
  EXPECT_TRUE(passages[0].words_at({.row = 0, .column = 1}).empty());
}

}  // namespace
}  // namespace fineprint::evidence
