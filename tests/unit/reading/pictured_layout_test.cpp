// Tables made of words and the rows and columns that a network sees, with grids given by hand.
#include "reading/pictured_layout.h"

#include <gtest/gtest.h>

#include "reading/layout.h"
#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using testing::elements_of;
using testing::RawPageBuilder;
using Rows = std::vector<std::vector<std::string>>;

// Returns the texts of a table by row and column. A cell is at each place that it spans.
Rows texts_of(const pdf::RawPage& page, const std::optional<PlacedTable>& table) {
  Rows rows;
  if (!table) return rows;
  for (const PlacedCell& cell : table->cells) {
    std::string text;
    for (const std::uint32_t word : cell.words) append_word(page.words[word].text, &text);
    for (std::size_t at = cell.cell.column; at < cell.cell.column + std::size_t{cell.cell.columns};
         ++at) {
      if (rows.size() <= cell.cell.row) rows.resize(cell.cell.row + std::size_t{1});
      if (rows[cell.cell.row].size() <= at) rows[cell.cell.row].resize(at + 1, "(none)");
      rows[cell.cell.row][at] = text;
    }
  }
  return rows;
}

const Box kTable{90, 95, 410, 165};

RawPageBuilder ships() {
  RawPageBuilder page;
  page.text(100, 100, "Ship").text(220, 100, "Port").right(400, 100, "Tons");
  page.text(100, 125, "Aurora").text(220, 125, "Bergen").right(400, 125, "1,200");
  page.text(100, 150, "Bellona").text(220, 150, "Lisbon").right(400, 150, "950");
  return page;
}

TEST(PicturedLayout, WordsGoIntoTheCellsOfTheGrid) {
  const RawPageBuilder page = ships();
  const GridShares grid{.across = {0.32F, 0.68F}, .down = {0.3F, 0.7F}};
  EXPECT_EQ(
      texts_of(page.page(), table_of_grid(page.page(), kTable, grid)),
      (Rows{
          {"Ship", "Port", "Tons"}, {"Aurora", "Bergen", "1,200"}, {"Bellona", "Lisbon", "950"}}));
}

TEST(PicturedLayout, LinesThroughWordsAreMovedAndEmptyRowsDropped) {
  const RawPageBuilder page = ships();
  // The first row's line cuts its words, two lines are between the next rows, and the first
  // column's line cuts the port.
  const GridShares grid{.across = {0.18F, 0.62F, 0.72F}, .down = {0.42F, 0.7F}};
  EXPECT_EQ(
      texts_of(page.page(), table_of_grid(page.page(), kTable, grid)),
      (Rows{
          {"Ship", "Port", "Tons"}, {"Aurora", "Bergen", "1,200"}, {"Bellona", "Lisbon", "950"}}));
}

TEST(PicturedLayout, LeadersCrossColumnsAndJoinNone) {
  RawPageBuilder page;
  page.text(100, 100, "Depth").right(260, 100, "2021").right(330, 100, "2022");
  page.text(100, 115, "------------------------------------------");
  page.text(100, 130, "0.5 ....................").right(260, 130, "80").right(330, 130, "88");
  page.text(100, 150, "0.9").right(260, 150, "53").right(330, 150, "59");
  const GridShares grid{.across = {0.2F, 0.45F, 0.72F}, .down = {0.53F, 0.8F}};
  EXPECT_TRUE(table_of_grid(page.page(), {95, 95, 335, 165}, grid).has_value());
}

TEST(PicturedLayout, ATextThatRunsOnAcrossALineSpansItsColumns) {
  RawPageBuilder page;
  page.text(215, 75, "Tons in all years");
  page.text(100, 100, "Ship").right(260, 100, "2021").right(330, 100, "2022");
  page.text(100, 125, "Aurora").right(260, 125, "1,200").right(330, 125, "1,300");
  page.text(100, 150, "Bellona").right(260, 150, "950").right(330, 150, "900");
  const Box table{95, 70, 335, 165};
  const GridShares grid{.across = {0.27F, 0.53F, 0.79F}, .down = {0.45F, 0.75F}};
  EXPECT_EQ(texts_of(page.page(), table_of_grid(page.page(), table, grid)),
            (Rows{{"", "Tons in all years", "Tons in all years"},
                  {"Ship", "2021", "2022"},
                  {"Aurora", "1,200", "1,300"},
                  {"Bellona", "950", "900"}}));
}

TEST(PicturedLayout, AGridThatLeavesTwoNumbersInACellIsNoTable) {
  const RawPageBuilder page = ships();
  RawPageBuilder wide = page;
  wide.right(500, 125, "77").right(500, 150, "88");
  const Box table{90, 95, 510, 165};
  EXPECT_FALSE(table_of_grid(wide.page(), table, {.across = {0.32F, 0.68F}, .down = {0.25F}}));
  EXPECT_FALSE(table_of_grid(page.page(), kTable, {.across = {}, .down = {0.3F, 0.7F}}));
  EXPECT_FALSE(table_of_grid(page.page(), kTable, {.across = {0.32F, 0.68F}, .down = {}}));
  EXPECT_FALSE(table_of_grid(page.page(), {500, 500, 600, 600}, {{0.5F}, {0.5F}}));
}

PicturedLayout seen(Region kind, const Box& box) {
  std::vector<Region> places(61 * 79, Region::background);
  for (int y = 0; y < 79; ++y) {
    for (int x = 0; x < 61; ++x) {
      const float px = 10.0F * static_cast<float>(x) + 5, py = 10.0F * static_cast<float>(y) + 5;
      const bool in = px > box.x0 && px < box.x1 && py > box.y0 && py < box.y1;
      if (in) places[static_cast<std::size_t>(y * 61 + x)] = kind;
    }
  }
  return {.regions = RegionMap(std::move(places), 61, 79, 612, 792), .pictures = {}, .tables = {}};
}

TEST(PicturedLayout, TablesBecomeElementsWithCells) {
  const RawPageBuilder page = ships();
  PicturedLayout pictured = seen(Region::table, kTable);
  const GridShares grid{.across = {0.32F, 0.68F}, .down = {0.3F, 0.7F}};
  pictured.tables.push_back(*table_of_grid(page.page(), kTable, grid));
  const Page read = lay_out(page.page(), {}, &pictured);
  const auto tables = elements_of(read, ElementKind::table);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0]->cells.size(), 9U);
  EXPECT_TRUE(tables[0]->cells[0].is_head);
}

TEST(PicturedLayout, HeadingsAreWhereThePictureShowsThem) {
  RawPageBuilder page;
  page.text(100, 100, "Scope of the work").text(100, 130, "The harbour is kept open in winter.");
  page.text(100, 142, "Ice is broken every morning before nine.");
  const Box first{100, 95, 300, 115};
  EXPECT_TRUE(elements_of(lay_out(page.page()), ElementKind::heading).empty());
  const PicturedLayout pictured = seen(Region::section_header, first);
  const Page read = lay_out(page.page(), {}, &pictured);
  const auto headings = elements_of(read, ElementKind::heading);
  ASSERT_EQ(headings.size(), 1U);
  EXPECT_EQ(testing::lines_of(read, *headings[0]), std::vector<std::string>{"Scope of the work"});
}

TEST(PicturedLayout, WhatLooksLikeAHeadingInATableOrFootnoteIsNone) {
  RawPageBuilder page;
  page.text(100, 100, "Scope of the work", 14)
      .text(100, 130, "The harbour is kept open in winter.");
  page.text(100, 142, "Ice is broken every morning before nine.");
  ASSERT_EQ(elements_of(lay_out(page.page()), ElementKind::heading).size(), 1U);
  const PicturedLayout pictured = seen(Region::footnote, {100, 95, 300, 125});
  EXPECT_TRUE(elements_of(lay_out(page.page(), {}, &pictured), ElementKind::heading).empty());
}

}  // namespace
}  // namespace fineprint::reading
