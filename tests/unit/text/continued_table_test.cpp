// Tables over several pages.
#include "fineprint/text/continued_table.h"

#include <gtest/gtest.h>

#include "fineprint/text/page_parts.h"

namespace fineprint::text {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Place {
  float top = 60;
  float left = 50;
  float step = 100;  // between columns
  bool bold_first = false;
};

// Adds a table of one-word cells to a page of 600 x 800 points.
void add_table(Page* page, const Rows& rows, const Place& place = {}) {
  page->width_pt = 600;
  page->height_pt = 800;
  Element element;
  element.kind = ElementKind::table;
  element.first_line = static_cast<std::uint32_t>(page->lines.size());
  element.line_count = static_cast<std::uint32_t>(rows.size());
  float y = place.top;
  for (const auto& row : rows) {
    Line line{
        static_cast<std::uint32_t>(page->words.size()), static_cast<std::uint32_t>(row.size()), {}};
    float x = place.left;
    for (const std::string& cell : row) {
      Word word;
      word.text = cell;
      word.box = {x, y, x + 40, y + 10};
      word.size_pt = 10;
      word.bold = place.bold_first && y == place.top;
      line.box = united(line.box, word.box);
      page->words.push_back(word);
      x += place.step;
    }
    element.box = united(element.box, line.box);
    page->lines.push_back(line);
    y += 20;
  }
  page->elements.push_back(element);
}

const Rows kFirst = {
    {"Harbour", "Sailing", "Motor"}, {"Aldwick", "100", "300"}, {"Bexley", "107", "311"}};
const Rows kNext = {{"Cawston", "114", "322"}, {"Denver", "121", "333"}};

class ContinuedTable : public ::testing::Test {
 protected:
  ContinuedTable() {
    for (int i = 0; i < 3; ++i) pages_[i].number = i + 1;
  }
  std::optional<CarriedHeader> carried(int page) {
    return carried_header(pages_[page - 1], [&](int number) -> const Page* {
      return number >= 1 ? &pages_[number - 1] : nullptr;
    });
  }
  Page pages_[3];
};

TEST_F(ContinuedTable, TheHeaderAppliesOnTheNextPages) {
  add_table(&pages_[0], kFirst, {.top = 720});
  pages_[0].elements[0].caption = "Berths";
  add_table(&pages_[1], kNext, {.top = 60, .left = 70});  // margins may differ
  pages_[1].elements[0].box.y1 = 760;
  add_table(&pages_[2], kNext);
  for (const int page : {2, 3}) {
    const auto header = carried(page);
    ASSERT_TRUE(header) << page;
    EXPECT_EQ(header->page, 1);
    EXPECT_EQ(header_text(*header), "Berths | Harbour Sailing Motor");
  }
  EXPECT_FALSE(carried(1));
  const Page copy = with_header(pages_[1], *carried(2));
  EXPECT_EQ(copy.words.size(), pages_[1].words.size() + 3);
  EXPECT_EQ(copy.words[0].text, "Cawston");
  EXPECT_EQ(line_text(copy, copy.lines[0]), "Harbour Sailing Motor");
  EXPECT_EQ(copy.elements[0].line_count, 3U);
  EXPECT_EQ(copy.elements[0].caption, "Berths");
  EXPECT_FLOAT_EQ(copy.words[6].box.x0, 70);  // above its column
}

TEST_F(ContinuedTable, ATableWithAHeaderOfItsOwnDoesNotContinue) {
  add_table(&pages_[0], kFirst, {.top = 720});
  add_table(&pages_[1], {{"Town", "Shops", "Inns"}, {"Denver", "121", "333"}});
  EXPECT_FALSE(carried(2));
}

TEST_F(ContinuedTable, AnotherShapeDoesNotContinue) {
  add_table(&pages_[0], kFirst, {.top = 720});
  add_table(&pages_[1], {{"Cawston", "114"}, {"Denver", "121"}});
  EXPECT_FALSE(carried(2));
  pages_[1] = {};
  pages_[1].number = 2;
  add_table(&pages_[1], kNext, {.step = 160});  // other columns
  EXPECT_FALSE(carried(2));
}

TEST_F(ContinuedTable, OnlyATableAtTheEndOfThePageContinues) {
  add_table(&pages_[0], kFirst, {.top = 100});
  add_table(&pages_[1], kNext);
  EXPECT_FALSE(carried(2));
  pages_[0] = {};
  pages_[0].number = 1;
  add_table(&pages_[0], kFirst, {.top = 720});
  add_table(&pages_[0], {{"Text", "after"}}, {.top = 790});
  pages_[0].elements.back().kind = ElementKind::paragraph;
  EXPECT_FALSE(carried(2));
  // A page number after the table does not matter.
  pages_[0].elements.back().kind = ElementKind::furniture;
  EXPECT_TRUE(carried(2));
}

TEST_F(ContinuedTable, WordsContinueIfTheHeaderIsBold) {
  const Rows words = {{"Harbour", "Keeper", "Town"}, {"Aldwick", "Ann", "Hull"}};
  add_table(&pages_[0], words, {.top = 740});
  add_table(&pages_[1], {{"Cawston", "Bo", "Lynn"}, {"Denver", "Cy", "Ely"}});
  EXPECT_FALSE(carried(2));
  pages_[0] = {};
  pages_[0].number = 1;
  add_table(&pages_[0], words, {.top = 740, .bold_first = true});
  ASSERT_TRUE(carried(2));
  EXPECT_EQ(header_text(*carried(2)), "Harbour Keeper Town");
}

TEST_F(ContinuedTable, AHeaderAppliesBelowOtherTextOfThePage) {
  Page& page = pages_[0];
  add_table(&page, kFirst);
  page.elements[0].caption = "Berths";
  add_table(&page, {{"Visitors"}}, {.top = 140});
  page.elements[1].kind = ElementKind::heading;
  add_table(&page, kNext, {.top = 180});
  add_table(&page, {{"Town", "Shops", "Inns"}, {"Denver", "121", "333"}}, {.top = 300});
  add_table(&page, kNext, {.top = 400, .left = 120});  // other columns
  const std::vector<CarriedHeader> headers = repeated_headers(page);
  ASSERT_EQ(headers.size(), 1U);
  EXPECT_EQ(headers[0].element, 2U);
  EXPECT_EQ(header_text(headers[0]), "Harbour Sailing Motor");
  const Page copy = with_header(page, headers[0]);
  EXPECT_EQ(line_text(copy, lines_of(copy, copy.elements[2]).front()), "Harbour Sailing Motor");
  EXPECT_EQ(line_text(copy, lines_of(copy, copy.elements[3]).front()), "Town Shops Inns");
}

}  // namespace
}  // namespace fineprint::text
