// Boxes and kinds of regions, from maps drawn by letters.
#include "reading/region_map.h"

#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::reading {
namespace {

// A map of places of 20 points: '.' is background, 't' text, 'T' table, 'p' picture.
RegionMap drawn(const std::vector<std::string>& rows) {
  std::vector<Region> places;
  for (const std::string& row : rows) {
    for (const char c : row) {
      places.push_back(c == 't'   ? Region::text
                       : c == 'T' ? Region::table
                       : c == 'p' ? Region::picture
                                  : Region::background);
    }
  }
  const int columns = static_cast<int>(rows.front().size()), height = static_cast<int>(rows.size());
  return {std::move(places), columns, height, 20.0F * static_cast<float>(columns),
          20.0F * static_cast<float>(height)};
}

TEST(RegionMap, ConnectedPlacesMakeABox) {
  const RegionMap map = drawn({"........", "TTT.....", "TTT..pp.", "TTT...pp", "........"});
  ASSERT_EQ(map.boxes(Region::table).size(), 1U);
  EXPECT_EQ(map.boxes(Region::table)[0], (Box{0, 20, 60, 80}));
  // Places that meet at a corner are connected.
  ASSERT_EQ(map.boxes(Region::picture).size(), 1U);
  EXPECT_EQ(map.boxes(Region::picture)[0], (Box{100, 40, 160, 80}));
  EXPECT_TRUE(map.boxes(Region::caption).empty());
}

TEST(RegionMap, ColumnsApartAreTwoBoxesFromTheTop) {
  const RegionMap map = drawn({".....TTT", "TTT..TTT", "TTT..TTT", "TTT....."});
  ASSERT_EQ(map.boxes(Region::table).size(), 2U);
  EXPECT_EQ(map.boxes(Region::table)[0], (Box{100, 0, 160, 60}));
  EXPECT_EQ(map.boxes(Region::table)[1], (Box{0, 20, 60, 80}));
}

TEST(RegionMap, LinesSpecksAndRaggedShapesAreNoBoxes) {
  EXPECT_TRUE(drawn({"TTTTTTTT", "........"}).boxes(Region::table).empty());
  EXPECT_TRUE(drawn({"...", ".T.", "..."}).boxes(Region::table).empty());
  EXPECT_TRUE(
      drawn({"TTTTTT", "T.....", "T.....", "T.....", "T....."}).boxes(Region::table).empty());
}

TEST(RegionMap, TheKindOfABoxIsThatOfMostPlacesWithInk) {
  const RegionMap map = drawn({"tt......", "ttTTT...", "........"});
  EXPECT_EQ(map.kind_of({0, 0, 60, 40}), Region::text);
  EXPECT_EQ(map.kind_of({20, 20, 100, 40}), Region::table);
  EXPECT_EQ(map.kind_of({120, 0, 160, 40}), Region::background);
  // Boxes may reach beyond the page.
  EXPECT_EQ(map.kind_of({-50, -50, 10, 10}), Region::text);
  EXPECT_EQ(map.kind_of({500, 500, 600, 600}), Region::background);
}

TEST(RegionMap, PlacesMustFillThePage) {
  EXPECT_THROW(RegionMap({Region::text}, 2, 1, 100, 100), Error);
}

}  // namespace
}  // namespace fineprint::reading
