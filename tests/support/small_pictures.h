// The bytes of small pictures in several formats, written without compression.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "support/binary.h"

namespace fineprint::testing {

// Red and green above, blue and white below: a reader that turns, mirrors or swaps channels is
// found out. `width` and `height` are even.
using Rgb = std::array<unsigned char, 3>;
inline constexpr std::array<Rgb, 4> kQuarters = {
    {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}}};

inline std::size_t quarter_of(int x, int y, int width, int height) {
  return (y < height / 2 ? 0U : 2U) + (x < width / 2 ? 0U : 1U);
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  return big_endian(static_cast<std::uint32_t>(data.size()), 4) + body + big_endian(crc32(body), 4);
}

// One stored deflate block in a zlib stream. Source: RFC 1950 and RFC 1951 section 3.2.4.
inline std::string stored_zlib(const std::string& bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<std::uint32_t>(bytes.size());
  return "\x78\x01\x01" + little_endian(size, 2) + little_endian(~size, 2) + bytes +
         big_endian(b << 16 | a, 4);
}

// At most 65,535 bytes of pixels.
inline std::string quarters_png(int width, int height) {
  std::string pixels;
  for (int y = 0; y < height; ++y) {
    pixels += '\0';  // no filter
    for (int x = 0; x < width; ++x) {
      for (const unsigned char value : kQuarters[quarter_of(x, y, width, height)]) {
        pixels += static_cast<char>(value);
      }
    }
  }
  const std::string size = big_endian(static_cast<std::uint32_t>(width), 4) +
                           big_endian(static_cast<std::uint32_t>(height), 4);
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", size + '\x08' + '\x02' + std::string(3, '\0')) +
         png_chunk("IDAT", stored_zlib(pixels)) + png_chunk("IEND", "");
}

// 24 bits a pixel, rows from below; `width` a multiple of 4, so that rows need no padding.
inline std::string quarters_bmp(int width, int height) {
  std::string pixels;
  for (int y = height - 1; y >= 0; --y) {
    for (int x = 0; x < width; ++x) {
      const Rgb& color = kQuarters[quarter_of(x, y, width, height)];
      for (std::size_t i = 3; i-- > 0;) pixels += static_cast<char>(color[i]);
    }
  }
  const auto size = static_cast<std::uint32_t>(pixels.size());
  return "BM" + little_endian(54 + size, 4) + little_endian(0, 4) + little_endian(54, 4) +
         little_endian(40, 4) + little_endian(static_cast<std::uint32_t>(width), 4) +
         little_endian(static_cast<std::uint32_t>(height), 4) + little_endian(1, 2) +
         little_endian(24, 2) + little_endian(0, 4) + little_endian(size, 4) +
         little_endian(2835, 4) + little_endian(2835, 4) + std::string(8, '\0') + pixels;
}

// The table of codes is cleared every two pixels, before codes grow: each stays three bits wide.
inline std::string gif_codes(int width, int height) {
  std::string bytes;
  std::uint32_t held = 0;
  int bits = 0;
  const auto put = [&](std::size_t code) {
    held |= static_cast<std::uint32_t>(code) << bits;
    for (bits += 3; bits >= 8; bits -= 8, held >>= 8) bytes += static_cast<char>(held & 0xFF);
  };
  for (int i = 0; i < width * height; ++i) {
    if (i % 2 == 0) put(4);
    put(quarter_of(i % width, i / width, width, height));
  }
  put(5);
  return bytes + static_cast<char>(held & 0xFF);
}

inline std::string quarters_gif(int width, int height) {
  const std::string size = little_endian(static_cast<std::uint32_t>(width), 2) +
                           little_endian(static_cast<std::uint32_t>(height), 2);
  std::string out = "GIF89a" + size + '\xF1' + std::string(2, '\0');  // four global colours
  for (const Rgb& color : kQuarters) {
    for (const unsigned char value : color) out += static_cast<char>(value);
  }
  out += ',' + std::string(4, '\0') + size + '\0' + '\x02';
  const std::string codes = gif_codes(width, height);
  for (std::size_t at = 0; at < codes.size(); at += 255) {
    const std::string part = codes.substr(at, 255);
    out += static_cast<char>(part.size()) + part;
  }
  return out + '\0' + ';';
}

// A page of 8 x 8 pixels, all zeros. Source: TIFF 6.0, section 2.
struct TiffPage {
  std::uint32_t bits = 8;
  std::uint32_t samples = 1;
  bool separate = false;  // one plane for each sample, of which only the first is there
};

inline std::string small_tiff(const std::vector<TiffPage>& pages) {
  constexpr std::uint32_t kLong = 4, kTags = 10, kFolder = 2 + 12 * kTags + 4,
                          kData = 8 * 8 * 3 * 2;
  std::string out = "II" + little_endian(42, 2) + little_endian(8, 4);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto start = static_cast<std::uint32_t>(out.size());
    const std::uint32_t tags[kTags][2] = {{256, 8},
                                          {257, 8},
                                          {258, pages[i].bits},
                                          {259, 1},
                                          {262, pages[i].samples == 3 ? 2U : 1U},
                                          {273, start + kFolder},
                                          {277, pages[i].samples},
                                          {278, 8},
                                          {279, kData},
                                          {284, pages[i].separate ? 2U : 1U}};
    out += little_endian(kTags, 2);
    for (const auto& [tag, value] : tags) {
      out += little_endian(tag, 2) + little_endian(kLong, 2) + little_endian(1, 4) +
             little_endian(value, 4);
    }
    const bool last = i + 1 == pages.size();
    out += little_endian(last ? 0 : start + kFolder + kData, 4) + std::string(kData, '\0');
  }
  return out;
}

}  // namespace fineprint::testing
