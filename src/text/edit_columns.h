// Computes edit distances between a pattern and a growing text, 64 glyphs of the pattern at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fineprint::text {

// One column of the distance matrix per glyph of the text. Source: Myers, "A fast bit-vector
// algorithm for approximate string matching based on dynamic programming" (1999), with blocks as in
// its section 4.
class EditColumns {
 public:
  // `pattern` must not be empty.
  explicit EditColumns(std::u32string_view pattern);

  // Where the compared text begins: at the best place, or at the first glyph that is pushed.
  enum class Start { anywhere, fixed };
  // Starts a new text.
  void begin(Start start);
  // Adds a glyph to the text and returns the distance between the pattern and the text up to and
  // including that glyph.
  std::size_t push(char32_t glyph);
  // Returns the cost of one push: the number of words of 64 glyphs.
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct Block {
    // Bits of rows where the distance is one more, or one less, than in the row above.
    std::uint64_t up = 0, down = 0;
  };
  std::size_t index_of(char32_t glyph) const;

  std::size_t length_ = 0, distance_ = 0;
  Start start_ = Start::anywhere;
  std::vector<Block> blocks_;
  // [distinct glyphs + 1, blocks]; row 0 is for glyphs not in the pattern.
  std::vector<std::uint64_t> equal_;
  std::array<std::uint32_t, 128> ascii_{};
  std::unordered_map<char32_t, std::uint32_t> others_;
};

}  // namespace fineprint::text
