// A text on its way through normalizers, every byte of which knows what it was made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::tokenizer {

// Code points [begin, end) of the input.
struct Origin {
  std::uint32_t begin = 0, end = 0;
};

// Bytes [begin, end) of a text.
struct Range {
  std::uint32_t begin = 0, end = 0;
};

struct NormalText {
  std::string text;             // valid UTF-8
  std::vector<Origin> origins;  // one a byte of `text`
  std::uint32_t first = 0;      // the input's code point at which this stretch starts

  bool empty() const { return text.empty(); }
  std::string_view view(Range range) const {
    return std::string_view(text).substr(range.begin, range.end - range.begin);
  }
  void append(std::string_view utf8, Origin origin);
  void append(char32_t c, Origin origin);
  // A part of another text, origins included.
  void append(const NormalText& other, Range range);
  // What the bytes of a range (not empty) were made from.
  Origin origin_of(Range range) const {
    return {origins[range.begin].begin, origins[range.end - 1].end};
  }
};

// A text as it stands in the input (valid UTF-8) from code point `first` on.
NormalText raw_text(std::string_view utf8, std::uint32_t first);

// Code points of valid UTF-8.
std::uint32_t code_point_count(std::string_view utf8);

}  // namespace fineprint::tokenizer
