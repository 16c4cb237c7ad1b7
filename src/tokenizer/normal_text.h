// A text that passes through normalizers. Each of its bytes knows the input characters it was made
// from.
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

// A text and the origins of its bytes, from which the offsets of tokens are computed.
struct NormalText {
  std::string text;             // valid UTF-8
  std::vector<Origin> origins;  // one for each byte of `text`
  std::uint32_t first = 0;      // the input's code point at which this text starts

  bool empty() const { return text.empty(); }
  std::string_view view(Range range) const {
    return std::string_view(text).substr(range.begin, range.end - range.begin);
  }
  void append(std::string_view utf8, Origin origin);
  void append(char32_t c, Origin origin);
  // Appends a part of another text with its origins.
  void append(const NormalText& other, Range range);
  // Returns the input characters that a range was made from. The range must not be empty.
  Origin origin_of(Range range) const {
    return {origins[range.begin].begin, origins[range.end - 1].end};
  }
};

// Returns a part of the input (valid UTF-8) that starts at code point `first`, unchanged.
NormalText raw_text(std::string_view utf8, std::uint32_t first);

// Counts the code points of valid UTF-8.
std::uint32_t code_point_count(std::string_view utf8);

}  // namespace fineprint::tokenizer
