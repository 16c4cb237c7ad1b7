// Areas of text in maps that are drawn here.
#include "fineprint/image/text_areas.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::image {
namespace {

constexpr int kWidth = 400, kHeight = 300;
// Pixels: corners of tilted areas are laid on whole pixels.
constexpr double kNear = 3.5;

// A map in which a rectangle of this size, turned by `degrees` about its middle, has `value`.
std::vector<float> map_with(double x, double y, double width, double height, double degrees,
                            float value = 0.9F) {
  std::vector<float> map(kWidth * kHeight, 0);
  const double turn = degrees * std::numbers::pi / 180;
  for (int row = 0; row < kHeight; ++row) {
    for (int column = 0; column < kWidth; ++column) {
      const double dx = column - x, dy = row - y;
      const double along = dx * std::cos(turn) + dy * std::sin(turn);
      const double across = dy * std::cos(turn) - dx * std::sin(turn);
      if (std::abs(along) <= width / 2 && std::abs(across) <= height / 2) {
        map[static_cast<std::size_t>(row * kWidth + column)] = value;
      }
    }
  }
  return map;
}

void expect_near(const Tilted& area, const std::vector<std::pair<double, double>>& wanted) {
  for (std::size_t i = 0; i < area.size(); ++i) {
    EXPECT_NEAR(area[i].x, wanted[i].first, kNear) << i;
    EXPECT_NEAR(area[i].y, wanted[i].second, kNear) << i;
  }
}

TEST(TextAreas, AnAreaIsGrownOnEverySide) {
  // 100 x 20 grows by 100 * 20 * 1.6 / 240 = 13.3.
  const auto areas = text_areas(map_with(200, 150, 100, 20, 0), kWidth, kHeight, kWidth, kHeight);
  ASSERT_EQ(areas.size(), 1U);
  expect_near(areas[0], {{136.7, 126.7}, {263.3, 126.7}, {263.3, 173.3}, {136.7, 173.3}});
}

TEST(TextAreas, AreScaledToThePicture) {
  const auto areas =
      text_areas(map_with(200, 150, 100, 20, 0), kWidth, kHeight, kWidth / 2, kHeight);
  ASSERT_EQ(areas.size(), 1U);
  expect_near(areas[0], {{68.3, 126.7}, {131.7, 126.7}, {131.7, 173.3}, {68.3, 173.3}});
}

TEST(TextAreas, ATiltedAreaKeepsItsTilt) {
  const auto areas = text_areas(map_with(200, 150, 100, 20, 15), kWidth, kHeight, kWidth, kHeight);
  ASSERT_EQ(areas.size(), 1U);
  // Half of 126.6 along, half of 46.6 across, turned by 15 degrees.
  const double c = std::cos(15 * std::numbers::pi / 180), s = std::sin(15 * std::numbers::pi / 180);
  const auto at = [&](double x, double y) {
    return std::pair(200 + x * c - y * s, 150 + x * s + y * c);
  };
  expect_near(areas[0], {at(-63.3, -23.3), at(63.3, -23.3), at(63.3, 23.3), at(-63.3, 23.3)});
}

TEST(TextAreas, FaintAndTinyAreasAreNoText) {
  const auto none = [](const std::vector<float>& map) {
    return text_areas(map, kWidth, kHeight, kWidth, kHeight).empty();
  };
  EXPECT_TRUE(none(map_with(200, 150, 100, 20, 0, 0.4F)));
  EXPECT_FALSE(none(map_with(200, 150, 100, 20, 0, 0.6F)));
  EXPECT_TRUE(none(map_with(200, 150, 100, 1, 0)));
  EXPECT_TRUE(none(std::vector<float>(kWidth * kHeight, 0)));
}

TEST(TextAreas, AMapOfAnotherSizeIsRefused) {
  EXPECT_THROW(text_areas(std::vector<float>(10), 4, 3, 40, 30), Error);
}

// A picture whose value says where a pixel comes from.
Image ramp() {
  Image grey{.width = 200, .height = 100, .channels = 1, .pixels = {}};
  grey.pixels.resize(grey.stride() * 100);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 200; ++x) grey.row(y)[x] = static_cast<std::uint8_t>(x / 2 + y);
  }
  return grey;
}

TEST(CutArea, TakesTheRectangle) {
  const Image cut = cut_area(ramp(), {{{40, 10}, {120, 10}, {120, 40}, {40, 40}}});
  EXPECT_EQ(cut.width, 80);
  EXPECT_EQ(cut.height, 30);
  EXPECT_NEAR(cut.row(0)[0], 20 + 10, 1);
  EXPECT_NEAR(cut.row(29)[79], 59 + 39, 2);
}

TEST(CutArea, TurnsALineThatRunsDown) {
  const Tilted area = {{{40, 10}, {60, 10}, {60, 90}, {40, 90}}};
  ASSERT_TRUE(is_turned(area));
  const Image cut = cut_area(ramp(), area);
  EXPECT_EQ(cut.width, 80);
  EXPECT_EQ(cut.height, 20);
  // Its beginning, the top of the area, is at the left; the right side of the area is on top.
  EXPECT_NEAR(cut.row(0)[0], 29 + 10, 2);
  EXPECT_NEAR(cut.row(19)[0], 20 + 10, 2);
  EXPECT_NEAR(cut.row(19)[79], 20 + 89, 2);
}

TEST(ResizeLinear, TakesBetweenNeighbours) {
  Image grey{.width = 2, .height = 1, .channels = 1, .pixels = {}};
  grey.pixels.resize(2);
  grey.row(0)[0] = 0;
  grey.row(0)[1] = 200;
  const Image wide = resize_linear(grey, 4, 1);
  EXPECT_EQ(wide.row(0)[0], 0);
  EXPECT_EQ(wide.row(0)[1], 50);
  EXPECT_EQ(wide.row(0)[2], 150);
  EXPECT_EQ(wide.row(0)[3], 200);
  EXPECT_THROW(resize_linear(grey, 0, 1), Error);
}

}  // namespace
}  // namespace fineprint::image
