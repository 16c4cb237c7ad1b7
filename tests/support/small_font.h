// A TrueType font in which every character is the same upright box: text in a file needs a font.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "support/binary.h"

namespace fineprint::testing {

inline std::string shorts(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += big_endian(static_cast<std::uint32_t>(value), 2);
  return out;
}

// 1000 units an em; glyph 1 is 400 by 700 units, its advance 600. Tables without a checksum:
// readers do not look at it. Source: the OpenType specification 1.9, chapters of the table names.
inline std::string box_font() {
  const std::string glyph = shorts({1, 100, 0, 500, 700, 3, 0}) + std::string(4, '\1') +
                            shorts({100, 0, 400, 0, 0, 700, 0, -700}) + std::string(2, '\0');
  const std::string head = shorts({1, 0, 0, 0, 0, 0, 0x5F0F, 0x3CF5, 0, 1000}) +
                           std::string(16, '\0') + shorts({100, 0, 500, 700, 0, 8, 2, 0, 0});
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"cmap", shorts({0, 1, 1, 0, 0, 12, 0, 262, 0}) + std::string(256, '\1')},
      {"glyf", glyph},
      {"head", head},
      {"hhea", shorts({1, 0, 800, -200, 0, 600, 0, 0, 600, 1, 0, 0, 0, 0, 0, 0, 0, 2})},
      {"hmtx", shorts({600, 0, 600, 100})},
      {"loca", shorts({0, 0, static_cast<int>(glyph.size()) / 2})},
      {"maxp", shorts({1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0})}};
  std::string directory = shorts({1, 0, static_cast<int>(tables.size()), 64, 2, 48});
  std::string body;
  const std::size_t body_at = directory.size() + 16 * tables.size();
  for (const auto& [name, bytes] : tables) {
    directory += name + big_endian(0, 4) +
                 big_endian(static_cast<std::uint32_t>(body_at + body.size()), 4) +
                 big_endian(static_cast<std::uint32_t>(bytes.size()), 4);
    body += bytes;
    body.resize((body.size() + 3) / 4 * 4, '\0');
  }
  return directory + body;
}

}  // namespace fineprint::testing
