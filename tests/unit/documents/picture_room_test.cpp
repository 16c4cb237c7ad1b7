// Room for a picture between a worker and its program.
#include "fineprint/documents/picture_room.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fcntl.h>
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

void draw(const Image& picture, int place, PictureDesk* desk) {
  std::ranges::copy(picture.pixels, desk->open(place, size_of(picture)));
}

std::int64_t bytes_in(const PictureRoom& room) {
  struct stat status{};
  EXPECT_EQ(fstat(room.descriptor(), &status), 0);
  return status.st_blocks * 512;
}

TEST(PictureRoom, PicturesComeOutAsTheyWentIn) {
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  for (int place = 0; place < kPicturePlaces; ++place) {
    for (const auto& [width, height] : {std::pair(300, 200), {20, 10}, {310, 205}}) {
      for (const int channels : {1, 3}) {
        const Image picture = noise(width, height, channels);
        draw(picture, place, &desk);
        const Image back = room.take(place, size_of(picture));
        EXPECT_EQ(back.pixels, picture.pixels);
        EXPECT_EQ(back.width, width);
        EXPECT_EQ(back.channels, channels);
      }
    }
  }
}

TEST(PictureRoom, PicturesInUseKeepTheirPlaces) {
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  std::vector<Image> drawn, taken;
  for (int i = 0; i < kPicturePlaces + 2; ++i) {
    drawn.push_back(noise(50 + i, 40, 3));
    const int place = room.free_place();
    EXPECT_EQ(place, i + 1 < kPicturePlaces ? i + 1 : 0);
    draw(drawn.back(), place, &desk);
    taken.push_back(room.take(place, size_of(drawn.back())));
    EXPECT_EQ(taken.back().pixels.is_borrowed(), place > 0);
  }
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i].pixels, drawn[i].pixels) << i;
  const Image copy = taken[1];
  taken[1] = {};
  EXPECT_EQ(room.free_place(), 2);
  draw(noise(51, 40, 1), 2, &desk);
  EXPECT_EQ(copy.pixels, drawn[1].pixels);
}

TEST(PictureRoom, APictureOutlivesItsRoom) {
  const Image picture = noise(300, 200, 3);
  Image taken;
  {
    PictureRoom room;
    PictureDesk desk(room.descriptor());
    draw(picture, 1, &desk);
    taken = room.take(1, size_of(picture));
  }
  EXPECT_EQ(taken.pixels, picture.pixels);
}

TEST(PictureRoom, LargeMemoryIsGivenBack) {
  const Image small = noise(100, 100, 3), large = noise(4000, 3000, 3);
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  for (const int place : {0, 1}) {
    draw(large, place, &desk);
    EXPECT_GE(bytes_in(room), 36'000'000);
    EXPECT_EQ(room.take(place, size_of(large)).pixels, large.pixels);
    EXPECT_EQ(bytes_in(room), 0);
    draw(small, place, &desk);
    EXPECT_EQ(room.take(place, size_of(small)).pixels, small.pixels);
    EXPECT_GE(bytes_in(room), 30'000);
    draw(large, place, &desk);
    EXPECT_EQ(room.take(place, size_of(large)).pixels, large.pixels);
  }
}

TEST(PictureRoom, LessThanWasSaidIsRefused) {
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  for (const int place : {0, 1}) {
    draw(noise(100, 100, 1), place, &desk);
    EXPECT_THROW(room.take(place, {100, 200, 1}), Error);
    EXPECT_EQ(room.take(place, {100, 100, 1}).pixels.size(), 10'000U);
  }
  EXPECT_THROW(room.take(1, {1 << 15, 1 << 14, 4}), Error);
}

// Else a worker could end its program: who reads past the end of a mapped file is killed.
TEST(PictureRoom, NobodyCanShortenIt) {
  PictureRoom room;
  PictureDesk desk(room.descriptor());
  const Image picture = noise(100, 100, 3);
  draw(picture, 1, &desk);
  const Image taken = room.take(1, size_of(picture));
  EXPECT_NE(ftruncate(room.descriptor(), 0), 0);
  EXPECT_EQ(taken.pixels, picture.pixels);
  // What a worker can do is to take the memory away: the picture is black then.
  ASSERT_EQ(fallocate(room.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                      std::int64_t{2} << 29),
            0);
  EXPECT_TRUE(std::ranges::all_of(taken.pixels, [](std::uint8_t value) { return value == 0; }));
}

TEST(PictureRoom, ItsDescriptorIsNotOneThatAWorkerStartsWith) {
  PictureRoom room;
  EXPECT_GT(room.descriptor(), PictureDesk::kDescriptor);
}

}  // namespace
}  // namespace fineprint::documents
