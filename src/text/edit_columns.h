// Edit distances between a pattern and the ends of a growing text, 64 glyphs of the pattern at
// once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fineprint::text {

// Source: Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
// programming" (1999), with blocks as in its section 4.
class EditColumns {
 public:
  // The pattern is not empty.
  explicit EditColumns(std::u32string_view pattern);

  // Where the text that is compared begins: where the best match does, or at its first glyph.
  enum class Start { anywhere, fixed };
  void begin(Start start);
  // The distance between the pattern and the text up to and with `glyph`.
  std::size_t push(char32_t glyph);
  // How much a push() costs, in words of 64 glyphs.
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct Block {
    std::uint64_t up = 0, down = 0;  // where the distance grows and falls from row to row
  };
  std::size_t index_of(char32_t glyph) const;

  std::size_t length_ = 0, distance_ = 0;
  Start start_ = Start::anywhere;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> equal_;  // [distinct glyphs + 1, blocks]; the first: in no place
  std::array<std::uint32_t, 128> ascii_{};
  std::unordered_map<char32_t, std::uint32_t> others_;
};

}  // namespace fineprint::text
