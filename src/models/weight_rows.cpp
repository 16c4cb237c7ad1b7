// Puts the rows of weights in the order that their part needs.
#include <cstring>

#include "fineprint/models/checkpoint.h"

namespace fineprint::models {

std::vector<std::uint8_t> rows_in_order(const Weight& weight) {
  const std::span<const std::uint8_t> bytes = weight.view->bytes;
  const auto rows = static_cast<std::size_t>(weight.view->shape.front());
  const std::size_t row_bytes = bytes.size() / rows;
  const std::size_t width = rows / static_cast<std::size_t>(weight.interleaved_heads);
  std::vector<std::uint8_t> ordered(bytes.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t head = row / width, in_head = row % width;
    // Even rows of a head form its first half, odd rows its second.
    const std::size_t place = head * width + in_head % 2 * (width / 2) + in_head / 2;
    std::memcpy(ordered.data() + place * row_bytes, bytes.data() + row * row_bytes, row_bytes);
  }
  return ordered;
}

}  // namespace fineprint::models
