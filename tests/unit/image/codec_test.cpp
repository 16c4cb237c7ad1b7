// Pictures through the codecs: round trips, limits, and files that are cut or torn.
#include "fineprint/image/codec.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

namespace fineprint::image {
namespace {

Image gradient(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  image.pixels.resize(image.stride() * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        image.row(y)[x * channels + c] = static_cast<std::uint8_t>((x * 2 + y * 3 + c * 40) % 256);
      }
    }
  }
  return image;
}

Image flat(std::vector<std::uint8_t> pixel) {
  Image image{16, 16, static_cast<int>(pixel.size()), {}};
  image.pixels.resize(256 * pixel.size());
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = pixel[i % pixel.size()];
  return image;
}

ErrorCode refusal_of(std::span<const std::uint8_t> bytes, std::int64_t max_pixels = 1'000'000) {
  try {
    decode(bytes, "picture", max_pixels);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("picture"), 0U) << error.what();
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(CodecTest, PngComesBackEqual) {
  for (int channels : {1, 3, 4}) {
    const Image image = gradient(61, 37, channels);
    const Image back = decode(encode_png(image), "picture");
    EXPECT_EQ(back.width, 61);
    EXPECT_EQ(back.height, 37);
    EXPECT_EQ(back.channels, channels);
    EXPECT_EQ(back.pixels, image.pixels);
  }
}

TEST(CodecTest, JpegComesBackAlike) {
  for (int channels : {1, 3}) {
    const Image image = flat(channels == 1 ? std::vector<std::uint8_t>{90}
                                           : std::vector<std::uint8_t>{200, 100, 50});
    const Image back = decode(encode_jpeg(image, 95), "picture");
    ASSERT_EQ(back.pixels.size(), image.pixels.size());
    EXPECT_EQ(back.channels, channels);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      EXPECT_NEAR(back.pixels[i], image.pixels[i], 3);
    }
  }
}

TEST(CodecTest, JpegLaysTransparencyOnWhite) {
  const Image back = decode(encode_jpeg(flat({0, 0, 0, 0}), 95), "picture");
  EXPECT_EQ(back.channels, 3);
  EXPECT_NEAR(back.pixels[0], 255, 2);
}

// A one-row PNG of 4 grey levels at 2 bits: 0, 85, 170, 255.
constexpr std::uint8_t kTwoBitPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00,
    0x00, 0x96, 0xe7, 0x48, 0xb0, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9c, 0x63, 0x90, 0x06, 0x00, 0x00, 0x1d, 0x00, 0x1c, 0x8e, 0xf4, 0xf5, 0x21, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

TEST(CodecTest, ExpandsGreyLevels) {
  const Image image = decode(kTwoBitPng, "picture");
  EXPECT_EQ(image.channels, 1);
  EXPECT_EQ(image.pixels, (std::vector<std::uint8_t>{0, 85, 170, 255}));
}

Image box_averages(const Image& image, int side) {
  Image small{image.width / side, image.height / side, image.channels, {}};
  small.pixels.resize(small.stride() * static_cast<std::size_t>(small.height));
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width * image.channels; ++x) {
      int sum = 0;
      for (int i = 0; i < side * side; ++i) {
        const int column = (x / image.channels * side + i % side) * image.channels;
        sum += image.row(y * side + i / side)[column + x % image.channels];
      }
      small.row(y)[x] = static_cast<std::uint8_t>(sum / (side * side));
    }
  }
  return small;
}

TEST(CodecTest, JpegsAreDecodedAtTheScaleWanted) {
  for (const int channels : {1, 3}) {
    Image image = gradient(101, 67, channels);
    for (std::uint8_t& value : image.pixels) value = static_cast<std::uint8_t>(40 + value / 2);
    const auto jpeg = encode_jpeg(image, 95);
    const auto decoded_to = [&](int width, int height) {
      const Image got = decode_jpeg_at_least(jpeg, width, height);
      EXPECT_EQ(got.channels, channels);
      EXPECT_EQ(got.pixels.size(), got.stride() * static_cast<std::size_t>(got.height));
      return std::pair(got.width, got.height);
    };
    EXPECT_EQ(decoded_to(1, 1), std::pair(13, 9));
    EXPECT_EQ(decoded_to(13, 9), std::pair(13, 9));
    EXPECT_EQ(decoded_to(14, 9), std::pair(26, 17));
    EXPECT_EQ(decoded_to(13, 10), std::pair(26, 17));
    EXPECT_EQ(decoded_to(51, 34), std::pair(51, 34));
    EXPECT_EQ(decoded_to(52, 34), std::pair(101, 67));
    EXPECT_EQ(decoded_to(500, 500), std::pair(101, 67));
    EXPECT_EQ(decode_jpeg_at_least(jpeg, 101, 67).pixels, decode(jpeg, "picture").pixels);
  }
  const Image soft = decode(encode_jpeg(flat({200, 90, 30}), 95), "picture");
  const Image half = decode_jpeg_at_least(encode_jpeg(flat({200, 90, 30}), 95), 8, 8);
  const Image expected = box_averages(soft, 2);
  ASSERT_EQ(half.pixels.size(), expected.pixels.size());
  for (std::size_t i = 0; i < half.pixels.size(); ++i) {
    EXPECT_NEAR(half.pixels[i], expected.pixels[i], 2) << i;
  }
}

TEST(CodecTest, JpegsThatCannotBeShrunkAreRefused) {
  auto jpeg = encode_jpeg(gradient(40, 30, 3));
  EXPECT_THROW(decode_jpeg_at_least(jpeg, 40, 30, 1000), Error);
  EXPECT_EQ(decode_jpeg_at_least(jpeg, 20, 15, 1000).width, 20);
  for (std::size_t size = 0; size + 2 < jpeg.size(); size += 7) {
    EXPECT_THROW(decode_jpeg_at_least(std::span(jpeg).first(size), 20, 15), Error) << size;
  }
}

TEST(CodecTest, RefusesEveryTruncation) {
  const auto png = encode_png(gradient(40, 30, 3));
  const auto jpeg = encode_jpeg(gradient(40, 30, 3));
  for (std::size_t size = 8; size + 1 < png.size(); size += 7) {
    EXPECT_EQ(refusal_of(std::span(png).first(size)), ErrorCode::damaged) << size;
  }
  for (std::size_t size = 3; size + 2 < jpeg.size(); size += 7) {
    EXPECT_EQ(refusal_of(std::span(jpeg).first(size)), ErrorCode::damaged) << size;
  }
}

TEST(CodecTest, NeverCrashesOnTornBytes) {
  std::mt19937 random(7);
  const auto png = encode_png(gradient(40, 30, 4));
  const auto jpeg = encode_jpeg(gradient(40, 30, 3));
  for (int round = 0; round < 2000; ++round) {
    auto bytes = round % 2 == 0 ? png : jpeg;
    for (int i = 0; i < 4; ++i) {
      bytes[8 + random() % (bytes.size() - 8)] = static_cast<std::uint8_t>(random());
    }
    try {
      const Image image = decode(bytes, "picture", 1'000'000);
      EXPECT_EQ(image.pixels.size(), image.stride() * static_cast<std::size_t>(image.height));
    } catch (const Error&) {
      // Refused in the program's own way, as it should be.
    }
  }
}

TEST(CodecTest, ChecksTheLimitBeforeTakingMemory) {
  auto png = encode_png(gradient(100, 100, 1));
  EXPECT_EQ(refusal_of(png, 9'999), ErrorCode::too_large);
  EXPECT_EQ(decode(png, "picture", 10'000).width, 100);
  auto jpeg = encode_jpeg(gradient(100, 100, 1));
  EXPECT_EQ(refusal_of(jpeg, 9'999), ErrorCode::too_large);
}

TEST(CodecTest, RefusesOtherFormats) {
  const std::vector<std::uint8_t> gif = {'G', 'I', 'F', '8', '9', 'a'};
  EXPECT_EQ(refusal_of(gif), ErrorCode::unsupported);
  EXPECT_EQ(refusal_of({}), ErrorCode::unsupported);
}

TEST(CodecTest, RefusesImagesThatContradictThemselves) {
  EXPECT_THROW(encode_png(Image{10, 10, 3, {}}), Error);
  EXPECT_THROW(encode_jpeg(Image{0, 0, 1, {}}), Error);
}

std::string converted(const std::string& name) {
  return read_file(FINEPRINT_TEST_DATA "/converted/" + name);
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Converted, WebpHeicAndAvifGiveTheSamePicture) {
  for (const char* name : {"line.webp", "line.heic", "line.avif"}) {
    const std::string file = converted(name);
    ASSERT_TRUE(is_converted(bytes_of(file))) << name;
    const std::vector<Image> all = decode_converted(bytes_of(file), name);
    ASSERT_EQ(all.size(), 1U) << name;
    EXPECT_EQ(all[0].width, 560) << name;
    EXPECT_EQ(all[0].height, 96) << name;
    EXPECT_EQ(all[0].channels, 3) << name;
    EXPECT_GT(all[0].row(2)[6], 240) << name;
    EXPECT_LT(*std::ranges::min_element(all[0].pixels), 60) << name;
    EXPECT_EQ(decode(bytes_of(file), name).pixels, all[0].pixels) << name;
  }
  EXPECT_FALSE(is_converted(bytes_of("RIFF....WAVEfmt ........")));
  EXPECT_FALSE(is_converted({}));
}

TEST(Converted, SeveralPicturesBehindEachOther) {
  const std::string file = converted("two.heic");
  const std::vector<Image> all = decode_converted(bytes_of(file), "two.heic");
  ASSERT_EQ(all.size(), 2U);
  const std::string pnm = encode_pnm(all);
  EXPECT_TRUE(pnm.starts_with("P6\n560 96\n255\n"));
  EXPECT_EQ(pnm.size(), 2 * (std::string("P6\n560 96\n255\n").size() + 560 * 96 * 3));
}

TEST(Converted, CutAndTornOnesAreRefused) {
  for (const char* name : {"line.webp", "line.heic", "line.avif"}) {
    const std::string file = converted(name);
    for (std::size_t size = 16; size < file.size(); size += file.size() / 7) {
      EXPECT_EQ(refusal_of(bytes_of(file.substr(0, size))), ErrorCode::damaged) << name << size;
    }
    EXPECT_EQ(refusal_of(bytes_of(file), 1000), ErrorCode::too_large) << name;
  }
}

}  // namespace
}  // namespace fineprint::image
