// Computes columns of edit distances, 64 rows in one machine word.
#include "text/edit_columns.h"

#include <algorithm>

namespace fineprint::text {

EditColumns::EditColumns(std::u32string_view pattern)
    : length_(pattern.size()), blocks_((pattern.size() + 63) / 64) {
  // For each glyph of the pattern, a bit mask of its positions. Index 0 is the mask of all other
  // glyphs.
  equal_.resize(blocks_.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char32_t c = pattern[i];
    std::uint32_t& index = c < ascii_.size() ? ascii_[c] : others_[c];
    if (index == 0) {
      index = static_cast<std::uint32_t>(equal_.size() / blocks_.size());
      equal_.resize(equal_.size() + blocks_.size());
    }
    equal_[index * blocks_.size() + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  begin(Start::anywhere);
}

void EditColumns::begin(Start start) {
  start_ = start;
  // Each row of the first column is one more than the row above: only `up` bits are set.
  distance_ = length_;
  std::ranges::fill(blocks_, Block{~std::uint64_t{0}, 0});
}

std::size_t EditColumns::index_of(char32_t glyph) const {
  if (glyph < ascii_.size()) return ascii_[glyph];
  const auto found = others_.find(glyph);
  return found == others_.end() ? 0 : found->second;
}

std::size_t EditColumns::push(char32_t glyph) {
  const std::uint64_t* equal = equal_.data() + index_of(glyph) * blocks_.size();
  // The difference between this column and the last in the row above the block. For the first block
  // this is 0 if the match may start anywhere, and 1 if it starts at the first glyph.
  int carry = start_ == Start::fixed ? 1 : 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    const bool last = b + 1 == blocks_.size();
    // The bit of the block's last row, from which the carry to the next block is read.
    const std::uint64_t top = std::uint64_t{1} << (last ? (length_ - 1) % 64 : 63);
    std::uint64_t same = equal[b];
    const std::uint64_t vertical = same | block.down;
    if (carry < 0) same |= 1;
    // The addition propagates along runs of matches: the core of Myers' algorithm.
    const std::uint64_t horizontal = (((same & block.up) + block.up) ^ block.up) | same;
    std::uint64_t grows = block.down | ~(horizontal | block.up);
    std::uint64_t falls = block.up & horizontal;
    const int next = (grows & top) != 0 ? 1 : (falls & top) != 0 ? -1 : 0;
    grows = grows << 1 | (carry > 0 ? 1U : 0U);
    falls = falls << 1 | (carry < 0 ? 1U : 0U);
    block.up = falls | ~(vertical | grows);
    block.down = grows & vertical;
    carry = next;
  }
  distance_ += static_cast<std::size_t>(carry);
  return distance_;
}

}  // namespace fineprint::text
