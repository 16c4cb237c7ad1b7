// Cleaning on pages drawn here, whose tilt and ink are known.
#include "fineprint/image/clean.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::image {
namespace {

Image page(int width, int height, std::uint8_t ground) {
  return {width, height, 1,
          std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height, ground)};
}

// Lines of "words": blocks of random width with gaps, as a page of text looks from afar.
Image text_page(std::uint8_t ground, std::uint8_t ink) {
  std::mt19937 random(3);
  Image image = page(800, 1000, ground);
  for (int top = 100; top < 900; top += 24) {
    for (int x = 100; x < 680;) {
      const int width = 8 + static_cast<int>(random() % 40);
      for (int y = top; y < top + 10; ++y) std::fill_n(image.row(y) + x, width, ink);
      x += width + 8;
    }
  }
  return image;
}

TEST(CleanTest, MeasuresTiltBothWays) {
  const Image straight = text_page(255, 20);
  EXPECT_NEAR(skew_degrees(straight), 0, 0.1);
  for (double degrees : {-4.0, -1.3, 0.6, 2.0, 4.5}) {
    EXPECT_NEAR(skew_degrees(rotate(straight, degrees)), degrees, 0.15) << degrees;
  }
}

TEST(CleanTest, TurningBackMakesItStraight) {
  const Image tilted = rotate(text_page(255, 20), 3);
  EXPECT_NEAR(skew_degrees(rotate(tilted, -skew_degrees(tilted))), 0, 0.15);
}

TEST(CleanTest, CannotTellTheTiltOfNoiseOrNothing) {
  EXPECT_EQ(skew_degrees(page(400, 400, 255)), 0);
  std::mt19937 random(5);
  Image noise = page(600, 600, 255);
  for (auto& pixel : noise.pixels) pixel = static_cast<std::uint8_t>(random());
  EXPECT_EQ(skew_degrees(noise), 0);
}

TEST(CleanTest, TurnsByQuarters) {
  const Image wide{3, 2, 1, {1, 2, 3, 4, 5, 6}};
  const Image left = quarter_turned(wide, 1);
  EXPECT_EQ(left.width, 2);
  EXPECT_EQ(left.height, 3);
  EXPECT_EQ(left.pixels, (std::vector<std::uint8_t>{3, 6, 2, 5, 1, 4}));
  EXPECT_EQ(quarter_turned(wide, 2).pixels, (std::vector<std::uint8_t>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(quarter_turned(wide, 3).pixels, (std::vector<std::uint8_t>{4, 1, 5, 2, 6, 3}));
  EXPECT_EQ(quarter_turned(wide, -1).pixels, quarter_turned(wide, 3).pixels);
  EXPECT_EQ(quarter_turned(left, 3).pixels, wide.pixels);
}

TEST(CleanTest, TellsLinesThatRunUpThePage) {
  const Image straight = text_page(255, 20);
  for (int quarters = 0; quarters < 4; ++quarters) {
    for (const double degrees : {0.0, 2.3}) {
      EXPECT_EQ(is_sideways(rotate(quarter_turned(straight, quarters), degrees)), quarters % 2 == 1)
          << quarters << " " << degrees;
    }
  }
  EXPECT_FALSE(is_sideways(page(400, 400, 255)));
}

TEST(CleanTest, RulesDoNotMakeAPageSideways) {
  Image ruled = text_page(255, 20);
  for (int x = 110; x < 690; x += 50) {
    for (int y = 20; y < 980; ++y) std::fill_n(ruled.row(y) + x, 2, std::uint8_t{20});
  }
  EXPECT_FALSE(is_sideways(ruled));
  EXPECT_TRUE(is_sideways(quarter_turned(ruled, 1)));
}

TEST(CleanTest, InkIsRelativeToTheGround) {
  for (int ground : {0, 40, 128, 255}) {
    EXPECT_EQ(ink_share(page(50, 50, static_cast<std::uint8_t>(ground))), 0) << ground;
  }
  const double dark_on_light = ink_share(text_page(250, 20));
  const double light_on_dark = ink_share(text_page(20, 250));
  EXPECT_GT(dark_on_light, 0.05);
  EXPECT_LT(dark_on_light, 0.4);
  EXPECT_NEAR(dark_on_light, light_on_dark, 1e-9);
}

TEST(CleanTest, FaintNoiseIsNoInk) {
  std::mt19937 random(9);
  Image scan = page(300, 300, 235);
  for (auto& pixel : scan.pixels) pixel = static_cast<std::uint8_t>(225 + random() % 20);
  EXPECT_EQ(ink_share(scan), 0);
}

TEST(CleanTest, ShrinksByAreaAndKeepsTheMean) {
  Image checker = page(64, 64, 0);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) checker.row(y)[x] = (x + y) % 2 == 0 ? 200 : 100;
  }
  const Image small = resize(checker, 16, 16);
  EXPECT_EQ(small.width, 16);
  for (std::uint8_t pixel : small.pixels) EXPECT_NEAR(pixel, 150, 1);
  const Image large = resize(page(10, 10, 77), 35, 20);
  EXPECT_EQ(large.width, 35);
  EXPECT_EQ(large.height, 20);
  for (std::uint8_t pixel : large.pixels) EXPECT_EQ(pixel, 77);
  EXPECT_THROW(resize(checker, 0, 5), Error);
}

TEST(CleanTest, RotateFillsWithWhite) {
  const Image turned = rotate(page(101, 101, 0), 45);
  EXPECT_EQ(turned.row(0)[0], 255);
  EXPECT_EQ(turned.row(50)[50], 0);
}

// Upright strokes of `ink`, as letters of 8 points are at 100 dpi, in so many lines.
Image lettered(int lines, std::uint8_t ground, std::uint8_t ink) {
  std::mt19937 random(7);
  Image image = page(400, 300, ground);
  for (int line = 0; line < lines; ++line) {
    for (int x = 40; x < 340; x += 3 + static_cast<int>(random() % 4)) {
      for (int y = 0; y < 10; ++y) image.row(40 + 30 * line + y)[x] = ink;
    }
  }
  return image;
}

TEST(Letters, LinesAreCountedOnAnyGround) {
  EXPECT_EQ(lines_of_letters(lettered(4, 250, 20), 100), 4);
  EXPECT_EQ(lines_of_letters(lettered(4, 30, 220), 100), 4);
  EXPECT_EQ(lines_of_letters(lettered(1, 250, 20), 100), 1);
}

TEST(Letters, RulesBlocksAndNoiseAreNone) {
  EXPECT_EQ(lines_of_letters(page(400, 300, 250), 100), 0);
  EXPECT_EQ(lines_of_letters(page(1, 1, 250), 100), 0);
  Image bars = page(400, 300, 250);
  for (int y = 100; y < 120; ++y) std::fill_n(bars.row(y) + 50, 300, std::uint8_t{20});
  for (int y = 200; y < 202; ++y) std::fill_n(bars.row(y) + 50, 300, std::uint8_t{20});
  EXPECT_EQ(lines_of_letters(bars, 100), 0);
  std::mt19937 random(5);
  Image noise = page(400, 300, 0);
  for (int y = 0; y < 300; ++y) {
    for (int x = 0; x < 400; ++x) noise.row(y)[x] = static_cast<std::uint8_t>(random() % 256);
  }
  EXPECT_LT(lines_of_letters(noise, 100), 2);
}

TEST(Cropped, KeepsToThePicture) {
  Image image = page(4, 3, 0);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) image.row(y)[x] = static_cast<std::uint8_t>(10 * y + x);
  }
  const Image part = cropped(image, 1, 1, 3, 9);
  EXPECT_EQ(part.width, 2);
  EXPECT_EQ(part.height, 2);
  EXPECT_EQ(part.row(1)[1], 22);
  EXPECT_EQ(cropped(image, -5, -5, -1, -1).row(0)[0], 0);
  EXPECT_EQ(cropped(image, 9, 9, 9, 9).row(0)[0], 23);
}

}  // namespace
}  // namespace fineprint::image
