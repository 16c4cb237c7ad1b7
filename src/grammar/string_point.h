// The state of a JSON string while it is written, byte by byte, as a table-driven automaton.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fineprint::grammar {

// Strings are written as UTF-8 without \uXXXX escapes. Nothing needs them, because control
// characters (U+007F to U+009F included) are left out. \b and \f are refused as well: in replies
// they are mostly LaTeX whose backslash was not doubled (\beta, \frac). If the single backslash is
// refused, the model doubles it.
enum class StringPoint : std::uint8_t {
  blank_or_quote,  // one blank may come before the opening quote
  quote,
  inside,  // between two characters
  escape,  // after a backslash
  tail_1,  // 1, 2 or 3 more bytes complete the character
  tail_2,
  tail_3,
  tail_c2,  // after this first byte not every second byte is valid UTF-8
  tail_e0,
  tail_ed,
  tail_f0,
  tail_f4,
  closed,
  dead  // not a string
};
constexpr std::size_t kOpenPoints = 12;  // the points before `closed`

using PointTable = std::array<std::array<StringPoint, 256>, kOpenPoints>;

constexpr PointTable make_point_table() {
  using enum StringPoint;
  PointTable table{};
  const auto set = [&](StringPoint from, int first, int last, StringPoint to) {
    for (int byte = first; byte <= last; ++byte) {
      table[static_cast<std::size_t>(from)][static_cast<std::size_t>(byte)] = to;
    }
  };
  for (auto& row : table) row.fill(dead);
  set(blank_or_quote, ' ', ' ', quote);
  set(blank_or_quote, '"', '"', inside);
  set(quote, '"', '"', inside);
  set(inside, ' ', '~', inside);
  set(inside, '"', '"', closed);
  set(inside, '\\', '\\', escape);
  // Lead bytes of UTF-8 (RFC 3629, section 4). C0, C1 and F5 to FF never begin a character. C2, E0,
  // ED, F0 and F4 get points of their own, because their second byte is limited: to exclude control
  // characters, overlong forms, surrogates, overlong forms, and values above U+10FFFF.
  set(inside, 0xC2, 0xC2, tail_c2);
  set(inside, 0xC3, 0xDF, tail_1);
  set(inside, 0xE0, 0xE0, tail_e0);
  set(inside, 0xE1, 0xEF, tail_2);
  set(inside, 0xED, 0xED, tail_ed);
  set(inside, 0xF0, 0xF0, tail_f0);
  set(inside, 0xF1, 0xF3, tail_3);
  set(inside, 0xF4, 0xF4, tail_f4);
  for (const char c : {'"', '\\', '/', 'n', 'r', 't'}) set(escape, c, c, inside);
  set(tail_1, 0x80, 0xBF, inside);
  set(tail_2, 0x80, 0xBF, tail_1);
  set(tail_3, 0x80, 0xBF, tail_2);
  set(tail_c2, 0xA0, 0xBF, inside);
  set(tail_e0, 0xA0, 0xBF, tail_1);
  set(tail_ed, 0x80, 0x9F, tail_1);
  set(tail_f0, 0x90, 0xBF, tail_2);
  set(tail_f4, 0x80, 0x8F, tail_2);
  return table;
}

inline constexpr PointTable kPointTable = make_point_table();

// Returns the point after one more byte. `point` must be before `closed`.
inline StringPoint next_point(StringPoint point, std::uint8_t byte) {
  return kPointTable[static_cast<std::size_t>(point)][byte];
}

// Returns true if the step from one point to the next begins a character; an escape counts as one.
inline bool begins_character(StringPoint from, StringPoint to) {
  return from == StringPoint::inside && to < StringPoint::closed;
}

}  // namespace fineprint::grammar
