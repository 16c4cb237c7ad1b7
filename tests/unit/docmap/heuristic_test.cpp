// Maps of small documents, made without a model.
#include "fineprint/docmap/heuristic.h"

#include <gtest/gtest.h>

#include "unit/text/page_maker.h"

namespace fineprint::docmap {
namespace {

using text::testing::add_element;
using Numbers = std::vector<std::string>;
using Pages = std::vector<Page>;

void add_heading(Page* page, const std::string& text, float size_pt) {
  add_element(page, ElementKind::heading, {text}, size_pt, 1);
}

void add_text(Page* page, const std::string& text) {
  add_element(page, ElementKind::paragraph, {text});
}

DocumentMap map_of(Pages pages, const std::vector<OutlineEntry>& bookmarks = {}) {
  store::DocumentRow row;
  row.doc = "a.pdf";
  row.hash = "h1";
  row.page_count = static_cast<int>(pages.size());
  return heuristic_map(row, bookmarks, [&](int number) {
    Page page = pages.at(static_cast<std::size_t>(number) - 1);
    page.number = number;
    return page;
  });
}

// "1.1 Tides 2-3": number, title, first and last page.
Numbers sections_of(const DocumentMap& map) {
  Numbers out;
  for (const Section& section : map.sections) {
    EXPECT_EQ(section.pages.back() - section.pages.front() + 1, std::ssize(section.pages));
    out.push_back(section.number + " " + section.title + " " +
                  std::to_string(section.pages.front()) + "-" +
                  std::to_string(section.pages.back()));
  }
  return out;
}

TEST(HeuristicMap, TakesNoLabelForASummaryWhereThereIsASentence) {
  Pages pages(3);
  add_text(&pages[0], "HARBOUR OFFICE");
  add_text(&pages[0], "The quay was built in 1911. It burned.");
  add_text(&pages[1], "HARBOUR OFFICE");
  add_element(&pages[1], ElementKind::paragraph, {"Fees rise with the", "tonnage"});
  add_text(&pages[2], "HARBOUR OFFICE");
  add_text(&pages[2], "12");
  const DocumentMap map = map_of(pages);
  EXPECT_EQ(map.pages[0].summary, "The quay was built in 1911.");
  EXPECT_EQ(map.pages[1].summary, "Fees rise with the tonnage");
  EXPECT_EQ(map.pages[2].summary, "HARBOUR OFFICE");
}

TEST(HeuristicMap, FollowsBookmarks) {
  Pages pages(5);
  for (Page& page : pages) add_text(&page, "Words of a page. More words.");
  const DocumentMap map = map_of(pages, {{1, "1 Harbour", 2},
                                         {3, "Tides", 3},  // a level that no bookmark leads to
                                         {3, "Nowhere", 0},
                                         {3, "Back", 1},
                                         {3, "Behind", 6},
                                         {1, "Ships", 4}});
  EXPECT_EQ(map.model, "heuristic");
  EXPECT_EQ(map.hash, "h1");
  EXPECT_EQ(map.pages_total, 5);
  EXPECT_EQ(sections_of(map), (Numbers{"1 Harbour 2-4", "1.1 Tides 3-4", "2 Ships 4-5"}));
  EXPECT_EQ(map.sections[1].parent, "1");
  EXPECT_FALSE(map.sections[0].inferred);
  EXPECT_EQ(map.pages[0].sections, Numbers());
  EXPECT_EQ(map.pages[2].sections, Numbers{"1.1"});
  EXPECT_EQ(map.pages[3].sections, (Numbers{"1.1", "2"}));
}

TEST(HeuristicMap, RanksHeadingsBySize) {
  Pages pages(4);
  add_heading(&pages[0], "The Report", 30);
  add_heading(&pages[0], "Harbour", 20);
  add_text(&pages[0], "It was built.");
  add_text(&pages[1], "Still the harbour.");
  add_heading(&pages[1], "Tides", 14.1F);
  add_heading(&pages[2], "Moon", 14.2F);
  add_heading(&pages[3], "Ships", 20);
  const DocumentMap map = map_of(pages);
  EXPECT_EQ(sections_of(map),
            (Numbers{"1 Harbour 1-3", "1.1 Tides 2-2", "1.2 Moon 3-3", "2 Ships 4-4"}));
}

TEST(HeuristicMap, TakesPrintedNumbersAtTheirWord) {
  Pages pages(3);
  add_heading(&pages[0], "1 Start", 12);
  add_heading(&pages[0], "1.1 Terms", 12);
  add_heading(&pages[1], "3 Middle", 12);  // the heading of 2 was overlooked
  add_heading(&pages[2], "2024 Results", 12);
  EXPECT_EQ(sections_of(map_of(pages)),
            (Numbers{"1 Start 1-1", "1.1 Terms 1-1", "3 Middle 2-2", "4 2024 Results 3-3"}));
}

TEST(HeuristicMap, AHeadingThatGoesOnIsOneSection) {
  Pages pages(3);
  for (Page& page : pages) add_heading(&page, "Balance sheet", 14);
  add_heading(&pages[2], "Notes", 14);
  EXPECT_EQ(sections_of(map_of(pages)), (Numbers{"1 Balance sheet 1-3", "2 Notes 3-3"}));
}

TEST(HeuristicMap, OfPagesWithoutHeadingsHasNoSections) {
  Pages pages(2);
  add_text(&pages[0], "Only this.");
  const DocumentMap map = map_of(pages);
  EXPECT_EQ(map.sections, std::vector<Section>());
  EXPECT_EQ(map.pages, (std::vector<MappedPage>{{1, "Only this.", false, {}}, {2, "", true, {}}}));
}

TEST(HeuristicMap, SummarisesByRunningTextFirst) {
  Pages pages(3);
  add_element(&pages[0], ElementKind::furniture, {"Annual Report 2024"});
  add_heading(&pages[0], "Harbour", 20);
  add_element(&pages[0], ElementKind::list_item, {"- one"});
  add_text(&pages[0], "It was built. It is old.");
  add_heading(&pages[1], "Tides", 20);
  add_element(&pages[1], ElementKind::list_item, {"- high water"});
  add_heading(&pages[2], "Ships", 20);
  const DocumentMap map = map_of(pages);
  EXPECT_EQ(map.pages[0].summary, "It was built.");
  EXPECT_EQ(map.pages[1].summary, "- high water");
  EXPECT_EQ(map.pages[2].summary, "Ships");
}

TEST(HeuristicMap, NamesFiguresAndTables) {
  Pages pages(2);
  Page& page = pages[1];
  add_element(&page, ElementKind::table,
              {"Year Catch Boats Crew", "2023 7 3 9", "2024 8 4 9", "2025 9 5 9"});
  page.elements.back().caption = "TABLE II: Catches. By year.";
  Element figure;
  figure.kind = ElementKind::figure;
  figure.box = {100, 200, 300, 400};
  page.elements.push_back(figure);
  figure.box = {0, 0, 39, 400};  // an ornament
  page.elements.push_back(figure);
  add_element(&page, ElementKind::table,
              {"Port Ships Quay Crew", "North 4 1 3", "South 2 1 3", "West 1 1 3"});
  const DocumentMap map = map_of(pages);
  ASSERT_EQ(map.elements.size(), 3U);
  EXPECT_EQ(map.elements[0].id, "p2-e1");
  EXPECT_EQ(map.elements[0].kind, MappedKind::table);
  EXPECT_EQ(map.elements[0].name, "Table 2");
  EXPECT_EQ(map.elements[0].caption, "TABLE II: Catches. By year.");
  EXPECT_EQ(map.elements[0].summary, "Catches.");
  EXPECT_EQ(map.elements[0].box, page.elements[0].box);
  EXPECT_EQ(map.elements[1].kind, MappedKind::figure);
  EXPECT_EQ(map.elements[1].name, "");
  EXPECT_EQ(map.elements[2].id, "p2-e3");
  EXPECT_EQ(map.elements[2].summary, "Port Ships Quay Crew");
}

}  // namespace
}  // namespace fineprint::docmap
