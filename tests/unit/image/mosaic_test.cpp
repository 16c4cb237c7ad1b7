// Grids, cells and numbers of mosaics, against pictures known beforehand.
#include "fineprint/image/mosaic.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::image {
namespace {

Image plain(int width, int height, std::uint8_t value) {
  Image image{width, height, 3, {}};
  image.pixels.assign(image.stride() * static_cast<std::size_t>(height), value);
  return image;
}

int value_at(const Image& image, int x, int y) { return image.row(y)[3 * x]; }

// The part of a picture as text: '#' white, '.' black, '?' anything else.
std::string drawn(const Image& image, int left, int top, int width, int height) {
  std::string text;
  for (int y = top; y < top + height; ++y) {
    for (int x = left; x < left + width; ++x) {
      const int value = value_at(image, x, y);
      text += value == 255 ? '#' : value == 0 ? '.' : '?';
    }
    text += '\n';
  }
  return text;
}

TEST(Mosaic, GridsAreThoseOfTheirCounts) {
  const std::vector<Grid> expected = {{1, 1}, {2, 1}, {1, 3}, {2, 2}, {2, 3}, {3, 2}, {2, 4},
                                      {2, 4}, {3, 3}, {3, 4}, {3, 4}, {4, 3}, {4, 4}, {4, 4},
                                      {4, 4}, {4, 4}, {5, 4}, {5, 4}, {5, 4}, {5, 4}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(grid_of(i + 1), expected[i]) << i + 1;
  }
  EXPECT_THROW(grid_of(0), Error);
  EXPECT_THROW(grid_of(kMostCells + 1), Error);
}

TEST(Mosaic, CellsLieRowByRowBetweenBlackLines) {
  const std::vector<Image> pictures = {plain(50, 60, 10), plain(50, 60, 20), plain(50, 60, 30),
                                       plain(50, 60, 40), plain(50, 60, 50)};
  const Image whole = mosaic(pictures);  // 2 x 3
  ASSERT_EQ(whole.width, 3 * 50 + 2 * 40);
  ASSERT_EQ(whole.height, 2 * 60 + 40);
  const int expected[2][3] = {{10, 20, 30}, {40, 50, 255}};
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 3; ++column) {
      const int x = 90 * column, y = 100 * row, value = expected[row][column];
      EXPECT_EQ(value_at(whole, x + 49, y), value);
      EXPECT_EQ(value_at(whole, x, y + 59), value);
      EXPECT_EQ(value_at(whole, x + 49, y + 59), value);
    }
  }
  for (const int x : {50, 89}) EXPECT_EQ(value_at(whole, x, 30), 0);
  for (const int y : {60, 99}) EXPECT_EQ(value_at(whole, 120, y), 0);
  EXPECT_EQ(drawn(whole, 180, 100, 50, 1), std::string(50, '#') + "\n");  // left over: no number
}

TEST(Mosaic, NumbersAreDrawnInTheCorners) {
  const std::vector<Image> pictures(11, plain(40, 32, 100));
  const Image whole = mosaic(pictures);  // 3 x 4
  EXPECT_EQ(drawn(whole, 0, 0, 8, 10),
            ".......?\n"
            "..###..?\n"
            ".#...#.?\n"
            ".#...#.?\n"
            ".#...#.?\n"
            ".#...#.?\n"
            ".#...#.?\n"
            "..###..?\n"
            ".......?\n"
            "????????\n");
  EXPECT_EQ(drawn(whole, 2 * 80, 2 * 72, 14, 10),
            ".............?\n"
            "...#....###..?\n"
            "..##...#...#.?\n"
            "...#...#...#.?\n"
            "...#...#...#.?\n"
            "...#...#...#.?\n"
            "...#...#...#.?\n"
            "..###...###..?\n"
            ".............?\n"
            "??????????????\n");
}

TEST(Mosaic, AllTenDigitsDiffer) {
  const std::vector<Image> pictures(10, plain(40, 32, 100));
  const Image whole = mosaic(pictures);
  std::vector<std::string> seen;
  for (int i = 0; i < 10; ++i) {
    const std::string digit = drawn(whole, i % 4 * 80, i / 4 * 72, 7, 9);
    EXPECT_EQ(digit.find('?'), std::string::npos);
    EXPECT_EQ(std::ranges::count(seen, digit), 0) << i;
    seen.push_back(digit);
  }
}

TEST(Mosaic, NumbersGrowWithTheirCells) {
  const Image whole = mosaic(std::vector<Image>(1, plain(400, 300, 100)));  // 4 pixels a dot
  EXPECT_EQ(value_at(whole, 27, 35), 0);
  EXPECT_EQ(value_at(whole, 28, 0), 100);
  EXPECT_EQ(value_at(whole, 0, 36), 100);
  for (const int x : {8, 19}) EXPECT_EQ(value_at(whole, x, 7), 255);
  for (const int x : {7, 20}) EXPECT_EQ(value_at(whole, x, 7), 0);
}

TEST(Mosaic, TheMostFrequentSizeIsThatOfAllCells) {
  const std::vector<Image> odd = {plain(90, 45, 1), plain(64, 80, 2), plain(64, 80, 3)};
  Image whole = mosaic(odd);  // 1 x 3
  EXPECT_EQ(whole.width, 3 * 64 + 80);
  EXPECT_EQ(whole.height, 80);
  EXPECT_EQ(value_at(whole, 63, 79), 1);
  const std::vector<Image> even = {plain(90, 45, 1), plain(64, 80, 2)};
  whole = mosaic(even);  // the first of two sizes that are as frequent
  EXPECT_EQ(whole.width, 90);
  EXPECT_EQ(whole.height, 2 * 45 + 40);
}

TEST(Mosaic, SizesAreBounded) {
  const Image large = mosaic(std::vector<Image>(20, plain(1000, 1500, 100)));
  const auto pixels = [](const Image& image) { return std::int64_t{image.width} * image.height; };
  EXPECT_LE(pixels(large), kMostMosaicPixels);
  EXPECT_GT(pixels(large), kMostMosaicPixels * 99 / 100);
  const double ratio = static_cast<double>((large.height - 160) / 5) / ((large.width - 120) / 4);
  EXPECT_NEAR(ratio, 1.5, 0.01);

  const Image thin = mosaic(std::vector<Image>(20, plain(2, 100'000, 100)));
  EXPECT_EQ(thin.width, 4 * 32 + 120);
  EXPECT_LE(pixels(thin), kMostMosaicPixels);
  const Image flat = mosaic(std::vector<Image>(20, plain(100'000, 2, 100)));
  EXPECT_EQ(flat.height, 5 * 32 + 160);
  EXPECT_LE(pixels(flat), kMostMosaicPixels);
  const Image tiny = mosaic(std::vector<Image>(2, plain(1, 1, 100)));
  EXPECT_EQ(tiny.width, 32);
  EXPECT_EQ(tiny.height, 2 * 32 + 40);
}

TEST(Mosaic, TakesRgbOnly) {
  Image grey{40, 40, 1, {}};
  grey.pixels.assign(1600, 0);
  EXPECT_THROW(mosaic({&grey, 1}), Error);
}

}  // namespace
}  // namespace fineprint::image
