// Pages that are one large JPEG, decoded at the scale they are drawn.
#include <cmath>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"
#include "fineprint/image/codec.h"
#include "fineprint/pdf/document.h"

#include "support/temp_dir.h"

namespace fineprint::reading {
namespace {

using fineprint::testing::TempDir;

// Soft waves with some straight edges, no side of which is the same.
Image picture_of(int width, int height, int channels) {
  Image picture{width, height, channels, {}};
  picture.pixels.resize(picture.stride() * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool in_box = x > width / 3 && x < width / 2 && y > height / 5 && y < height / 2;
      for (int c = 0; c < channels; ++c) {
        const double wave = std::sin(x * 0.02 + c) * 60 + std::cos(y * 0.013) * 50;
        picture.row(y)[x * channels + c] = static_cast<std::uint8_t>(in_box ? 20 : 128 + wave);
      }
    }
  }
  return picture;
}

// A page of one picture, at 150 dots per inch.
struct Scan {
  int width = 1200;
  int height = 1001;
  int channels = 3;
  std::string page_facts = {};     // of the page's dictionary
  std::string picture_facts = {};  // of the picture's
  std::string said = {};           // the size that the dictionary gives, when not the true one
  std::string mask_facts = {};     // of a soft mask of 2 x 2 pixels; empty: none
};

// Opaque at two corners, half and not at all at the others.
std::string soft_mask(const std::string& facts) {
  return format(
      "<< /Type /XObject /Subtype /Image {} /BitsPerComponent 8 /ColorSpace /DeviceGray "
      "/Filter /ASCIIHexDecode /Length 9 >>\nstream\nFF8000FF>\nendstream",
      facts);
}

std::string write_scan(const TempDir& dir, const Scan& scan) {
  const std::vector<std::uint8_t> jpeg =
      image::encode_jpeg(picture_of(scan.width, scan.height, scan.channels), 95);
  const double w = scan.width * 72 / 150.0, h = scan.height * 72 / 150.0;
  const std::string size =
      scan.said.empty() ? format("/Width {} /Height {}", scan.width, scan.height) : scan.said;
  const std::string draws = format("{} 0 0 {} 0 0 cm /P Do", w, h);
  const std::string mask = scan.mask_facts.empty() ? "" : "/SMask 6 0 R";
  std::vector<std::string> parts = {
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] {} /Contents 4 0 R "
             "/Resources << /XObject << /P 5 0 R >> >> >>",
             w, h, scan.page_facts),
      format("<< /Length {} >>\nstream\n{}\nendstream", draws.size(), draws),
      format("<< /Type /XObject /Subtype /Image {} /BitsPerComponent 8 /ColorSpace /{} /Filter "
             "/DCTDecode {} {} /Length {} >>\nstream\n",
             size, scan.channels == 1 ? "DeviceGray" : "DeviceRGB", scan.picture_facts, mask,
             jpeg.size()) +
          std::string(jpeg.begin(), jpeg.end()) + "\nendstream"};
  if (!mask.empty()) parts.push_back(soft_mask(scan.mask_facts));
  std::string file = "%PDF-1.7\n";
  std::string table = format("xref\n0 {}\n0000000000 65535 f \n", parts.size() + 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string place = std::to_string(file.size());
    table += std::string(10 - place.size(), '0') + place + " 00000 n \n";
    file += format("{} 0 obj\n{}\nendobj\n", i + 1, parts[i]);
  }
  const std::size_t start = file.size();
  file += table + format("trailer << /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n",
                         parts.size() + 1, start);
  return dir.write("scan.pdf", file);
}

struct Asked {
  int times = 0, width = 0, height = 0;
};

Image drawn(const std::string& path, double dpi, bool grey, const pdf::JpegDecoder& decode) {
  Image picture;
  pdf::Document(path, "").draw(
      1, {dpi, grey, 100'000'000, decode}, [&](int width, int height, int channels) {
        picture = {width, height, channels, {}};
        picture.pixels.resize(picture.stride() * static_cast<std::size_t>(height));
        return picture.pixels.data();
      });
  return picture;
}

pdf::JpegDecoder counting(Asked* asked) {
  return [asked](std::span<const std::uint8_t> bytes, int width, int height) {
    *asked = {asked->times + 1, width, height};
    return image::decode_jpeg_at_least(bytes, width, height);
  };
}

double mean_difference(const Image& a, const Image& b) {
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i) {
    sum += std::abs(a.pixels[i] - b.pixels[i]);
  }
  return sum / static_cast<double>(a.pixels.size());
}

TEST(ScannedPage, IsDecodedAtTheScaleWanted) {
  TempDir dir;
  for (const int channels : {1, 3}) {
    for (const std::string facts : {"", "/Rotate 90", "/Rotate 180"}) {
      const std::string path = write_scan(dir, {.channels = channels, .page_facts = facts});
      for (const int dpi : {150, 100, 75, 20, 300}) {
        Asked asked;
        const Image ours = drawn(path, dpi, channels == 1, counting(&asked));
        EXPECT_EQ(asked.times, 1);
        EXPECT_NEAR(asked.width, 1200 * dpi / 150, 1);
        EXPECT_NEAR(asked.height, 1001 * dpi / 150, 1);
        const Image engines = drawn(path, dpi, channels == 1, {});
        EXPECT_EQ(ours.width, engines.width);
        EXPECT_LT(mean_difference(ours, engines), 1.5) << facts << " " << dpi << " " << channels;
      }
    }
  }
}

// The mask is no part of the picture.
TEST(ScannedPage, ShinesThroughItsSoftMask) {
  TempDir dir;
  const Image unmasked = drawn(write_scan(dir, {}), 75, false, {});
  const std::string path = write_scan(dir, {.mask_facts = "/Width 2 /Height 2"});
  Asked asked;
  const Image ours = drawn(path, 75, false, counting(&asked));
  EXPECT_EQ(asked.times, 1);
  EXPECT_LT(mean_difference(ours, drawn(path, 75, false, {})), 1.5);
  EXPECT_GT(mean_difference(ours, unmasked), 10);
}

TEST(ScannedPage, WhatTheDecoderDoesNotReadIsTheEngines) {
  TempDir dir;
  const std::string path = write_scan(dir, {});
  const Image engines = drawn(path, 75, false, {});
  const auto throws = [](std::span<const std::uint8_t>, int, int) -> Image {
    throw std::runtime_error("no");
  };
  EXPECT_EQ(drawn(path, 75, false, throws).pixels, engines.pixels);
  const auto gives = [&](const Image& picture) {
    const auto give = [&](std::span<const std::uint8_t>, int, int) { return picture; };
    return drawn(path, 75, false, give).pixels == engines.pixels;
  };
  EXPECT_TRUE(gives({}));
  EXPECT_TRUE(gives(picture_of(600, 501, 1)));
  EXPECT_TRUE(gives(picture_of(600, 500, 3)));
  EXPECT_TRUE(gives(picture_of(1, 1001, 3)));
  EXPECT_FALSE(gives(picture_of(600, 501, 3)));
}

TEST(ScannedPage, OnlyPlainPicturesAreTaken) {
  TempDir dir;
  const std::string half = "/Width 1200 /Height 500";
  for (const Scan& scan : std::vector<Scan>{{.picture_facts = "/Mask [0 5 0 5 0 5]"},
                                            {.picture_facts = "/Decode [1 0 1 0 1 0]"},
                                            {.width = 600, .height = 400},
                                            {.mask_facts = "/Width 2 /Height 2 /Matte [0 0 0]"},
                                            {.channels = 1, .picture_facts = "/ImageMask true"}}) {
    const std::string path = write_scan(dir, scan);
    Asked asked;
    const Image ours = drawn(path, 75, false, counting(&asked));
    EXPECT_EQ(asked.times, 0) << scan.picture_facts;
    EXPECT_EQ(ours.pixels, drawn(path, 75, false, {}).pixels) << scan.picture_facts;
  }
  const std::string path = write_scan(dir, {.said = half});
  Asked asked;
  EXPECT_EQ(drawn(path, 75, false, counting(&asked)).pixels, drawn(path, 75, false, {}).pixels);
}

}  // namespace
}  // namespace fineprint::reading
