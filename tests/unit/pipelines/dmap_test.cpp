// What DMAP makes of a map: the words of prompts, and the pages that it leads to.
#include <numeric>

#include <gtest/gtest.h>

#include "pipelines/dmap/expansion.h"
#include "pipelines/dmap/map_text.h"

namespace fineprint::pipelines::dmap {
namespace {

using Pages = std::vector<int>;

Pages range(int first, int last) {
  Pages pages(static_cast<std::size_t>(last - first) + 1);
  std::iota(pages.begin(), pages.end(), first);
  return pages;
}

// Chapter 1 on pages 1 to 6 with the sections 1.1 (2-3) and 1.2 (3-6); pages 7 and 8 in none.
docmap::DocumentMap sample_map() {
  docmap::DocumentMap map;
  map.pages_total = 8;
  map.sections = {{"1", "Year", 1, range(1, 6), "", false},
                  {"1.1", "Staff", 2, range(2, 3), "1", false},
                  {"1.2", "Ships", 2, range(3, 6), "1", false}};
  const std::vector<std::vector<std::string>> sections = {
      {"1"}, {"1.1"}, {"1.1", "1.2"}, {"1.2"}, {"1.2"}, {"1.2"}, {}, {}};
  for (int page = 1; page <= 8; ++page) {
    map.pages.push_back({page, "Said.", false, sections[static_cast<std::size_t>(page) - 1]});
  }
  return map;
}

Pages expanded(const Pages& seeds, const Pages& shown, const ExpansionLimits& limits = {}) {
  return expansion(sample_map(), seeds, shown, limits);
}

TEST(Expansion, TakesTheNearestPagesOfTheDeepestSections) {
  EXPECT_EQ(expanded({4}, {4}, {.nearest = 2, .pages = 10}), (Pages{3, 5}));
  EXPECT_EQ(expanded({4}, {4}, {.nearest = 3, .pages = 3}), (Pages{3, 5, 6}));
  EXPECT_EQ(expanded({3}, {3}, {.nearest = 1, .pages = 10}), (Pages{2, 4}));  // of two sections
}

TEST(Expansion, GoesOnToTheParents) {
  EXPECT_EQ(expanded({2}, {2}), (Pages{1, 3, 4, 5}));
  EXPECT_EQ(expanded({2}, {2}, {.nearest = 4, .pages = 2}), (Pages{1, 3}));
}

TEST(Expansion, TakesNeighboursWhereThereIsNoSection) {
  EXPECT_EQ(expanded({7}, {7}), (Pages{6, 8}));
  EXPECT_EQ(expanded({8}, {8}), Pages{7});
  EXPECT_EQ(expanded({7, 8}, {7, 8}), Pages{6});
}

TEST(Expansion, LeavesOutWhatWasShownAndStopsAtTheBound) {
  EXPECT_EQ(expanded({4}, range(3, 6)), Pages{2});  // of 1, whose nearest are 3, 5, 2 and 6
  EXPECT_EQ(expanded({4}, range(1, 8)), Pages());
  EXPECT_EQ(expanded({}, {}), Pages());
  EXPECT_EQ(expanded({4}, {4}, {.nearest = 4, .pages = 0}), Pages());
}

TEST(MapText, OutlinesLeaveOutTheDeepestLevelsFirst) {
  const docmap::DocumentMap map = sample_map();
  const std::string whole =
      "1 Year <-> pages 1-6\n1.1 Staff <-> pages 2-3\n1.2 Ships <-> pages 3-6\n";
  EXPECT_EQ(outline_text(map, whole.size()), whole);
  EXPECT_EQ(outline_text(map, whole.size() - 1), "1 Year <-> pages 1-6\n");
  EXPECT_EQ(outline_text(map, 5), "");
}

TEST(MapText, SummariesShareTheRoom) {
  docmap::DocumentMap map = sample_map();
  map.pages[0].summary = std::string(60, 'a') + "\xc3\xa9";
  map.pages[1].blank = true;
  map.elements.push_back({"p3-e1", 3, docmap::MappedKind::table, "Table 1", "All fees", "", {}});
  const std::string text = summaries_text(map, range(1, 3), 1000);
  EXPECT_EQ(text, "Page 1:\n| " + map.pages[0].summary +
                      "\nPage 2:\n| blank\nPage 3:\n| Said.\n| Table 1: All fees\n");
  EXPECT_TRUE(summaries_fit(map, 1000));
  EXPECT_FALSE(summaries_fit(map, 100));
  // Less than 40 bytes of a page say nothing, and what has no room is left out.
  EXPECT_EQ(summaries_text(map, range(1, 2), 66), "Page 1:\n| " + std::string(40, 'a') + "\n");
  EXPECT_EQ(summaries_text(map, {}, 100), "(none)\n");
  // No code point is cut.
  map.pages[0].summary = std::string(39, 'a') + "\xc3\xa9 and more of it than there is room for";
  EXPECT_EQ(summaries_text(map, Pages{1}, 56), "Page 1:\n| " + std::string(39, 'a') + "\n");
}

TEST(MapText, KnowsThePagesOfSections) {
  const docmap::DocumentMap map = sample_map();
  EXPECT_EQ(pages_of_sections(map, std::vector<std::string>{"1.2", "1.1", "9"}), range(2, 6));
  EXPECT_EQ(pages_of_sections(map, {}), Pages());
  EXPECT_EQ(all_pages(map), range(1, 8));
}

}  // namespace
}  // namespace fineprint::pipelines::dmap
