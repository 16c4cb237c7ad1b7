// Recognises scripts by ranges of code points.
#include "reading/layout_direction.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fineprint::reading {
namespace {

// Code points from `first` to `last`, both included.
struct Range {
  std::uint32_t first, last;
};

// Hebrew to Arabic Extended-A and all blocks between them, their presentation forms, and old
// scripts.
constexpr std::array<Range, 5> kRightToLeft = {
    {{0x0590, 0x08FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}}};
// Digits of these scripts, which run from left to right.
constexpr std::array<Range, 2> kDigits = {{{0x0660, 0x0669}, {0x06F0, 0x06F9}}};
// Kana to Han and all blocks between them, compatibility forms, and the later planes of Han.
constexpr std::array<Range, 4> kIdeographic = {
    {{0x3041, 0x9FFF}, {0xF900, 0xFAFF}, {0xFF66, 0xFF9D}, {0x20000, 0x3FFFF}}};

template <std::size_t N>
bool is_in(std::uint32_t point, const std::array<Range, N>& ranges) {
  return std::ranges::any_of(
      ranges, [&](Range range) { return range.first <= point && point <= range.last; });
}

// Calls `use` with each code point of `text`, which must be valid UTF-8.
template <class Use>
void each_point(std::string_view text, const Use& use) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    use(point);
    i += length;
  }
}

// Counts the characters of scripts written from right to left, without digits.
std::size_t count_right_to_left(std::string_view text) {
  std::size_t count = 0;
  each_point(text, [&](std::uint32_t point) {
    count += is_in(point, kRightToLeft) && !is_in(point, kDigits) ? 1 : 0;
  });
  return count;
}

// Counts letters of other scripts. Punctuation and digits have no direction.
std::size_t count_left_to_right(std::string_view text) {
  std::size_t count = 0;
  each_point(text, [&](std::uint32_t point) {
    const bool latin = (point | 0x20) >= 'a' && (point | 0x20) <= 'z';
    const bool other = point >= 0xC0 && (point < 0x2000 || point > 0x303F);
    count += latin || (other && !is_in(point, kRightToLeft)) ? 1 : 0;
  });
  return count;
}

}  // namespace

bool is_right_to_left(std::string_view text) { return count_right_to_left(text) > 0; }

bool is_ideographic(std::string_view text) {
  bool found = false;
  each_point(text, [&](std::uint32_t point) { found = found || is_in(point, kIdeographic); });
  return found;
}

bool runs_right_to_left(const pdf::RawPage& page) {
  std::size_t right_to_left = 0, left_to_right = 0;
  for (const Word& word : page.words) {
    right_to_left += count_right_to_left(word.text);
    left_to_right += count_left_to_right(word.text);
  }
  return right_to_left > left_to_right;
}

Box mirrored(const Box& box, float page_width_pt) {
  return {page_width_pt - box.x1, box.y0, page_width_pt - box.x0, box.y1};
}

pdf::RawPage mirrored(const pdf::RawPage& page) {
  pdf::RawPage result = page;
  for (Word& word : result.words) word.box = mirrored(word.box, page.width_pt);
  for (auto* boxes : {&result.rules, &result.images, &result.drawings}) {
    for (Box& box : *boxes) box = mirrored(box, page.width_pt);
  }
  return result;
}

}  // namespace fineprint::reading
