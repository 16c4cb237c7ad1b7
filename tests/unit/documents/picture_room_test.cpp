// Room for a picture between a worker and its program.
#include "documents/picture_room.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"

namespace fineprint::documents {
namespace {

Image noise(int width, int height, int channels) {
  Image picture{width, height, channels, {}};
  picture.pixels.resize(picture.stride() * static_cast<std::size_t>(height));
  std::uint32_t state = 7;
  for (std::uint8_t& value : picture.pixels) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<std::uint8_t>(state >> 24);
  }
  return picture;
}

PictureSize size_of(const Image& picture) {
  return {picture.width, picture.height, picture.channels};
}

void draw(const Image& picture, PictureDesk* desk) {
  std::ranges::copy(picture.pixels, desk->open(size_of(picture)));
}

std::int64_t bytes_in(const PictureRoom& room) {
  struct stat status{};
  EXPECT_EQ(fstat(room.descriptor(), &status), 0);
  return status.st_size;
}

TEST(PictureRoom, PicturesComeOutAsTheyWentIn) {
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  for (const auto& [width, height] : {std::pair(300, 200), {20, 10}, {310, 205}}) {
    for (const int channels : {1, 3}) {
      const Image picture = noise(width, height, channels);
      draw(picture, &desk);
      const Image back = room.take(size_of(picture));
      EXPECT_EQ(back.pixels, picture.pixels);
      EXPECT_EQ(back.width, width);
      EXPECT_EQ(back.channels, channels);
    }
  }
}

TEST(PictureRoom, LargeMemoryIsGivenBack) {
  PictureRoom room;
  const Image small = noise(100, 100, 3), large = noise(4000, 3000, 3);
  PictureDesk desk(room.descriptor());
  draw(large, &desk);
  EXPECT_EQ(room.take(size_of(large)).pixels, large.pixels);
  EXPECT_EQ(bytes_in(room), 0);
  draw(small, &desk);
  EXPECT_EQ(room.take(size_of(small)).pixels, small.pixels);
  EXPECT_EQ(bytes_in(room), 30000);
  draw(large, &desk);
  EXPECT_EQ(room.take(size_of(large)).pixels, large.pixels);
}

TEST(PictureRoom, LessThanWasSaidIsRefused) {
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  draw(noise(10, 10, 1), &desk);
  EXPECT_THROW(room.take({10, 11, 1}), Error);
  ASSERT_EQ(ftruncate(room.descriptor(), 50), 0);
  EXPECT_THROW(room.take({10, 10, 1}), Error);
}

TEST(PictureRoom, ItsDescriptorIsNotOneThatAWorkerStartsWith) {
  PictureRoom room;
  EXPECT_GT(room.descriptor(), PictureDesk::kDescriptor);
}

}  // namespace
}  // namespace fineprint::documents
