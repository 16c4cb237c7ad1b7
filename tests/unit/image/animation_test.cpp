// Animations made by hand, whole and broken off.
#include "fineprint/image/animation.h"

#include <string>

#include <gtest/gtest.h>

namespace fineprint::image {
namespace {

using namespace std::string_literals;

bool animated(const std::string& file) {
  return is_animation({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
}

// A frame of one pixel, after an extension, with a table of two colours of its own.
const std::string kGifFrame = "\x21\xf9\x04\0\0\0\0\0"s + "\x2c\0\0\0\0\1\0\1\0\x80"s +
                              "\0\0\0\xff\xff\xff"s + "\2\2\x44\1\0"s;

std::string gif(int frames) {
  std::string file = "GIF89a\1\0\1\0\x80\0\0"s + "\0\0\0\xff\xff\xff"s;
  for (int i = 0; i < frames; ++i) file += kGifFrame;
  return file + ";";
}

std::string chunk(const std::string& kind, const std::string& data) {
  return "\0\0\0"s + static_cast<char>(data.size()) + kind + data + "sums";
}

std::string png(const std::string& chunks) { return "\x89PNG\r\n\x1a\n" + chunks; }

TEST(Animation, OfGifByItsFrames) {
  EXPECT_FALSE(animated(gif(1)));
  EXPECT_TRUE(animated(gif(2)));
  EXPECT_TRUE(animated(gif(5)));
}

TEST(Animation, OfPngByItsCount) {
  const std::string head = chunk("IHDR", std::string(13, '\1'));
  const std::string picture = chunk("IDAT", "x");
  EXPECT_FALSE(animated(png(head + picture)));
  EXPECT_TRUE(animated(png(head + chunk("acTL", "\0\0\0\3\0\0\0\0"s) + picture)));
  EXPECT_FALSE(animated(png(head + chunk("acTL", "\0\0\0\1\0\0\0\0"s) + picture)));
  EXPECT_FALSE(animated(png(head + picture + chunk("acTL", "\0\0\0\3\0\0\0\0"s))));
}

TEST(Animation, WhatBreaksOffIsNone) {
  const std::string whole = gif(1);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(animated(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(
      animated(png("\xff\xff\xff\xff"
                   "abcd")));
  EXPECT_FALSE(animated(std::string(1000, '\xff')));
}

}  // namespace
}  // namespace fineprint::image
