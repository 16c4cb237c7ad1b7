// A drawn picture is found again in a larger one, whatever was done to the cut-out.
#include "fineprint/image/landmarks.h"

#include <algorithm>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/image/clean.h"

namespace fineprint::image {
namespace {

constexpr int kSide = 400;

// Rectangles of random greys and sizes: no two places look alike.
Image drawn(unsigned seed, int width = kSide, int height = kSide) {
  Image image{.width = width, .height = height, .channels = 1, .pixels = {}};
  image.pixels.resize(image.stride() * static_cast<std::size_t>(height));
  for (std::uint8_t& pixel : image.pixels) pixel = 255;
  std::mt19937 random(seed);
  for (int n = 0; n < 160; ++n) {
    const int x0 = static_cast<int>(random() % static_cast<unsigned>(width));
    const int y0 = static_cast<int>(random() % static_cast<unsigned>(height));
    const int x1 = std::min(width, x0 + 4 + static_cast<int>(random() % 40));
    const int y1 = std::min(height, y0 + 4 + static_cast<int>(random() % 40));
    const auto grey = static_cast<std::uint8_t>(random() % 256);
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) image.row(y)[x] = grey;
    }
  }
  return image;
}

std::optional<FoundPart> found(const Image& part, const Image& whole) {
  return find_part(Landmarks(part, 600), Landmarks(whole, 1500));
}

void expect_corners(const FoundPart& part, float x0, float y0, float x1, float y1, float near) {
  const Tilted wanted = {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(part.corners[i].x, wanted[i].x, near) << i;
    EXPECT_NEAR(part.corners[i].y, wanted[i].y, near) << i;
  }
}

TEST(Landmarks, ACutOutIsFoundWhereItWasCut) {
  const Image whole = drawn(1);
  const auto part = found(cropped(whole, 100, 50, 300, 250), whole);
  ASSERT_TRUE(part);
  EXPECT_GE(part->agreeing, kLeastAgreeing);
  expect_corners(*part, 100, 50, 300, 250, 2);
}

TEST(Landmarks, ASmallerCutOutIsFound) {
  const Image whole = drawn(2);
  const auto part = found(resize(cropped(whole, 40, 80, 340, 330), 180, 150), whole);
  ASSERT_TRUE(part);
  expect_corners(*part, 40, 80, 340, 330, 4);
}

TEST(Landmarks, APartThatLiesOnItsSideIsFound) {
  const Image whole = drawn(3);
  const auto part = found(quarter_turned(cropped(whole, 100, 100, 300, 300), 1), whole);
  ASSERT_TRUE(part);
  // The part's upper left corner is the whole's upper right one.
  EXPECT_NEAR(part->corners[0].x, 300, 3);
  EXPECT_NEAR(part->corners[0].y, 100, 3);
}

TEST(Landmarks, ATiltedPartIsFound) {
  const Image whole = drawn(4);
  EXPECT_TRUE(found(rotate(cropped(whole, 80, 80, 330, 330), 12), whole));
}

TEST(Landmarks, OtherPicturesAreNotFound) {
  const Image whole = drawn(5);
  for (unsigned seed = 100; seed < 110; ++seed) {
    EXPECT_FALSE(found(cropped(drawn(seed), 100, 100, 300, 300), whole)) << seed;
  }
}

TEST(Landmarks, AMirroredPictureIsAnother) {
  const Image whole = drawn(6);
  Image mirrored = cropped(whole, 100, 100, 300, 300);
  for (int y = 0; y < mirrored.height; ++y) {
    std::reverse(mirrored.row(y), mirrored.row(y) + mirrored.width);
  }
  EXPECT_FALSE(found(mirrored, whole));
}

TEST(Landmarks, ABlankPictureHasNone) {
  Image blank{.width = 50, .height = 40, .channels = 3, .pixels = {}};
  blank.pixels.resize(blank.stride() * 40);
  EXPECT_EQ(Landmarks(blank, 100).size(), 0U);
  EXPECT_FALSE(found(blank, drawn(7)));
  EXPECT_FALSE(found(drawn(7), blank));
}

TEST(Landmarks, ColourCountsByItsGrey) {
  const Image grey = drawn(8);
  Image colour{.width = grey.width, .height = grey.height, .channels = 3, .pixels = {}};
  colour.pixels.resize(grey.pixels.size() * 3);
  for (std::size_t i = 0; i < colour.pixels.size(); ++i) colour.pixels[i] = grey.pixels[i / 3];
  EXPECT_TRUE(found(cropped(colour, 100, 100, 300, 300), grey));
}

}  // namespace
}  // namespace fineprint::image
