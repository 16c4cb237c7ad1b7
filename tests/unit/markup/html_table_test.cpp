// Cells of tables in HTML.
#include "fineprint/markup/html_table.h"

#include <gtest/gtest.h>

namespace fineprint::markup {
namespace {

// "row,column rowsxcolumns text" of each; '*' marks heads.
std::vector<std::string> told(std::string_view html) {
  std::vector<std::string> out;
  for (const TableCell& cell : read_html_table(html)) {
    out.push_back(std::to_string(cell.row) + "," + std::to_string(cell.column) + " " +
                  std::to_string(cell.rows) + "x" + std::to_string(cell.columns) + " " + cell.text +
                  (cell.is_head ? "*" : ""));
  }
  return out;
}

using Cells = std::vector<std::string>;

TEST(HtmlTable, CellsHaveTheirPlaces) {
  EXPECT_EQ(told("<html><body><table><thead><tr><th>Year</th><th>Sales </th></tr></thead>"
                 "<tr><td>2019</td><td>1,<b>5</b>00</td></tr></table></body></html>"),
            (Cells{"0,0 1x1 Year*", "0,1 1x1 Sales*", "1,0 1x1 2019", "1,1 1x1 1,500"}));
}

TEST(HtmlTable, SpansMoveWhatStandsBesideThem) {
  EXPECT_EQ(told("<table><tr><td rowspan='2'>a</td><td colspan='2'>b</td></tr>"
                 "<tr><td>c</td><td>d</td></tr></table>"),
            (Cells{"0,0 2x1 a", "0,1 1x2 b", "1,1 1x1 c", "1,2 1x1 d"}));
}

TEST(HtmlTable, OddSpansAreOne) {
  EXPECT_EQ(told("<table><tr><td colspan='-3'>a</td><td rowspan='x'>b</td></tr></table>"),
            (Cells{"0,0 1x1 a", "0,1 1x1 b"}));
}

TEST(HtmlTable, WhereThereIsNoTableThereAreNoCells) {
  EXPECT_EQ(told(""), Cells{});
  EXPECT_EQ(told("<p>text</p>"), Cells{});
  EXPECT_EQ(told("just text"), Cells{});
}

// Whether mark_heads marks the first of these rows.
bool gets_heads(const std::vector<Cells>& rows) {
  std::vector<TableCell> cells;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      cells.push_back({.text = rows[row][column],
                       .row = static_cast<int>(row),
                       .column = static_cast<int>(column)});
    }
  }
  mark_heads(&cells);
  return cells.front().is_head;
}

TEST(MarkHeads, AFormHasNone) {
  EXPECT_FALSE(gets_heads({{"Customer", "Nils Aker"}, {"Mileage", "88412"}, {"Work", "clutch"}}));
  EXPECT_FALSE(gets_heads({{"Place", "Bay", "Date", "7 May 2025"},
                           {"Injured", "Goran", "Witness", ""},
                           {"Days off", "4", "Doctor", "none"}}));
  EXPECT_FALSE(gets_heads({{"Opened", "05.11.2024"}, {"Code", "00042"}, {"Hours", "37:30"}}));
  EXPECT_TRUE(gets_heads({{"Assets", "31.12.2024"}, {"Cash", "1,204"}, {"Stock", "880"}}));
  EXPECT_TRUE(gets_heads({{"Part", "Note"}, {"Bolts", "2 boxes"}, {"Nuts", "on order"}}));
  EXPECT_TRUE(gets_heads({{"Item", "2019"}, {"Sales", "5"}, {"Costs", "none"}}));
  EXPECT_TRUE(gets_heads({{"Name", "Home Town"}, {"Ann", "Corfe"}, {"Bo", "Anstey"}}));
}

}  // namespace
}  // namespace fineprint::markup
