// Tables whose cells are drawn by lines, and frames and forms that are not such tables.
#include <algorithm>

#include <gtest/gtest.h>

#include "reading/layout.h"
#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using testing::elements_of;
using testing::RawPageBuilder;
using Rows = std::vector<std::vector<std::string>>;

// Draws the lines of a grid with the given borders.
void draw_grid(RawPageBuilder* page, const std::vector<float>& xs, const std::vector<float>& ys) {
  for (const float y : ys) page->rule(xs.front(), y, xs.back());
  for (const float x : xs) page->rule_down(x, ys.front(), ys.back());
}

const Element* only_table(const Page& page) {
  const auto tables = elements_of(page, ElementKind::table);
  return tables.size() == 1 ? tables[0] : nullptr;
}

// Returns the texts of the only table by row and column. A cell is at each place that it spans.
Rows cells_of(const Page& page) {
  const Element* table = only_table(page);
  Rows rows;
  if (table == nullptr) return rows;
  for (const StatedCell& cell : table->cells) {
    const Line words{.first_word = cell.first_word, .word_count = cell.word_count, .box = {}};
    for (std::size_t row = cell.row; row < cell.row + std::size_t{cell.rows}; ++row) {
      for (std::size_t at = cell.column; at < cell.column + std::size_t{cell.columns}; ++at) {
        if (rows.size() <= row) rows.resize(row + 1);
        if (rows[row].size() <= at) rows[row].resize(at + 1, "(none)");
        rows[row][at] = line_text(page, words);
      }
    }
  }
  return rows;
}

int head_rows(const Page& page) {
  int rows = 0;
  for (const StatedCell& cell : only_table(page)->cells) {
    if (cell.is_head) rows = std::max(rows, cell.row + cell.rows);
  }
  return rows;
}

TEST(Lattice, LinesMakeCellsOfSeveralLinesAndEmptyOnes) {
  RawPageBuilder page;
  draw_grid(&page, {50, 150, 250, 350}, {100, 120, 150, 170});
  page.text(55, 105, "Ship").text(155, 105, "Port").text(255, 105, "Tons");
  page.text(55, 123, "Northern").text(55, 135, "Star").text(155, 123, "Bergen");
  page.text(255, 123, "1,200").text(55, 155, "Moon").text(255, 155, "90");
  const Page read = lay_out(page.page());
  EXPECT_EQ(
      cells_of(read),
      (Rows{{"Ship", "Port", "Tons"}, {"Northern Star", "Bergen", "1,200"}, {"Moon", "", "90"}}));
  EXPECT_EQ(head_rows(read), 1);
}

TEST(Lattice, TurnedHeadsKeepTheirOrder) {
  RawPageBuilder page;
  draw_grid(&page, {50, 150, 180, 210}, {100, 180, 200, 220});
  page.text(55, 165, "Task").upwards(155, 178, "No Authority").upwards(185, 178, "Owner");
  page.text(55, 183, "Start").text(155, 183, "X").text(55, 203, "Stop").text(185, 203, "X");
  EXPECT_EQ(cells_of(lay_out(page.page())),
            (Rows{{"Task", "No Authority", "Owner"}, {"Start", "X", ""}, {"Stop", "", "X"}}));
}

TEST(Lattice, CellsSpanWhereNoLineDivides) {
  RawPageBuilder page;
  for (const float y : {100.0F, 140.0F, 180.0F}) page.rule(50, y, 350);
  page.rule(150, 120, 350).rule(150, 160, 350);
  for (const float x : {50.0F, 150.0F, 350.0F}) page.rule_down(x, 100, 180);
  page.rule_down(250, 120, 180);
  page.text(55, 115, "Region").text(230, 105, "Sales");
  page.text(155, 125, "Spring").text(255, 125, "Autumn");
  page.text(55, 155, "North").text(155, 145, "10").text(255, 145, "20");
  page.text(155, 165, "11").text(255, 165, "21");
  const Page read = lay_out(page.page());
  EXPECT_EQ(cells_of(read), (Rows{{"Region", "Sales", "Sales"},
                                  {"Region", "Spring", "Autumn"},
                                  {"North", "10", "20"},
                                  {"North", "11", "21"}}));
  EXPECT_EQ(head_rows(read), 2);
}

TEST(Lattice, OpenSidesEndWhereTheLinesEnd) {
  RawPageBuilder page;
  for (const float y : {100.0F, 120.0F, 140.0F, 160.0F}) page.rule(50, y, 350);
  page.rule_down(150, 100, 160).rule_down(250, 100, 160);
  page.text(55, 105, "Year").text(155, 105, "In").text(255, 105, "Out");
  page.text(55, 125, "2021").text(155, 125, "4").text(255, 125, "5");
  page.text(55, 145, "2022").text(155, 145, "6").text(255, 145, "7");
  EXPECT_EQ(cells_of(lay_out(page.page())),
            (Rows{{"Year", "In", "Out"}, {"2021", "4", "5"}, {"2022", "6", "7"}}));
}

TEST(Lattice, LabelsAndValuesHaveNoHeads) {
  RawPageBuilder page;
  draw_grid(&page, {50, 200, 400}, {100, 120, 140, 160});
  page.text(55, 105, "Name").text(205, 105, "Ida Kern");
  page.text(55, 125, "Street").text(205, 125, "Long Quay");
  page.text(55, 145, "Town").text(205, 145, "Bergen");
  const Page read = lay_out(page.page());
  EXPECT_EQ(cells_of(read),
            (Rows{{"Name", "Ida Kern"}, {"Street", "Long Quay"}, {"Town", "Bergen"}}));
  EXPECT_EQ(head_rows(read), 0);
}

TEST(Lattice, ColumnsWithoutLinesAreLeftToTheLayout) {
  RawPageBuilder page;
  draw_grid(&page, {50, 150, 400}, {100, 120, 140, 160});
  page.text(55, 105, "Year").text(200, 105, "In").text(300, 105, "Out");
  page.text(55, 125, "North").text(200, 125, "14").text(300, 125, "25");
  page.text(55, 145, "South").text(200, 145, "16").text(300, 145, "27");
  const auto read = lay_out(page.page());
  const auto tables = elements_of(read, ElementKind::table);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_TRUE(tables[0]->cells.empty());
}

TEST(Lattice, RowsWithoutLinesAreLeftToTheLayout) {
  RawPageBuilder page;
  draw_grid(&page, {50, 150, 250}, {100, 120, 180});
  page.text(55, 105, "Port").text(155, 105, "Tons");
  page.text(55, 125, "Oslo").text(155, 125, "14").text(55, 140, "Bergen").text(155, 140, "25");
  page.text(55, 155, "Moss").text(155, 155, "16");
  const Page read = lay_out(page.page());
  for (const Element& element : read.elements) EXPECT_TRUE(element.cells.empty());
}

TEST(Lattice, AFormDividedDifferentlyInEachRowIsNoTable) {
  RawPageBuilder page;
  for (const float y : {100.0F, 130.0F, 160.0F, 190.0F}) page.rule(50, y, 400);
  page.rule_down(50, 100, 190).rule_down(400, 100, 190);
  page.rule_down(120, 100, 130).rule_down(240, 130, 160).rule_down(310, 130, 160);
  page.rule_down(180, 160, 190);
  page.text(55, 105, "Name", 7).text(55, 114, "Ida Kern").text(125, 105, "Street", 7);
  page.text(125, 114, "Long Quay").text(55, 135, "Town", 7).text(55, 144, "Bergen");
  page.text(245, 135, "Code", 7).text(245, 144, "5020").text(315, 135, "Land", 7);
  page.text(315, 144, "Norway").text(55, 165, "Born", 7).text(55, 174, "Moss");
  page.text(185, 165, "Work", 7).text(185, 174, "Sailor");
  const Page read = lay_out(page.page());
  for (const Element& element : read.elements) EXPECT_TRUE(element.cells.empty());
}

TEST(Lattice, AGridWithoutWordsIsNoTable) {
  RawPageBuilder page;
  draw_grid(&page, {100, 150, 200, 250, 300}, {100, 150, 200, 250, 300});
  page.text(105, 105, "Peak").text(70, 145, "40").text(70, 195, "20").text(140, 305, "2021");
  const Page read = lay_out(page.page());
  for (const Element& element : read.elements) EXPECT_TRUE(element.cells.empty());
}

}  // namespace
}  // namespace fineprint::reading
