// Computes the positions of tokens in texts and images.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/models/prompt.h"

namespace fineprint::models {
namespace {

// Returns time, rows and columns of an image's tokens.
std::array<std::int64_t, 3> token_grid(const Prompt& prompt, const preprocess::PixelInput& image) {
  return {image.grid[0], image.grid[1] / prompt.merge, image.grid[2] / prompt.merge};
}

// Assigns positions to an image's tokens from `start` on, along time, rows and columns.
void place_image(const std::array<std::int64_t, 3>& grid, std::int64_t start, std::size_t at,
                 TokenSequence* sequence) {
  for (std::int64_t time = 0; time < grid[0]; ++time) {
    for (std::int64_t row = 0; row < grid[1]; ++row) {
      for (std::int64_t column = 0; column < grid[2]; ++column, ++at) {
        sequence->positions[0][at] = start + time;
        sequence->positions[1][at] = start + row;
        sequence->positions[2][at] = start + column;
      }
    }
  }
}

// Returns how many tokens from `at` on are slots, up to `limit`.
std::int64_t slots_from(const TokenSequence& sequence, std::size_t at, std::int64_t limit) {
  std::int64_t count = 0;
  while (count < limit && at < sequence.ids.size() && sequence.is_image[at] != 0) {
    ++count;
    ++at;
  }
  return count;
}

}  // namespace

void set_positions(const Prompt& prompt, std::span<const preprocess::PixelInput> images,
                   int first_position, TokenSequence* sequence) {
  const std::size_t tokens = sequence->ids.size();
  if (sequence->is_image.size() != tokens || prompt.merge < 1) {
    throw Error(ErrorCode::internal,
                "positions need a sequence with one image flag for each token");
  }
  for (std::vector<std::int64_t>& axis : sequence->positions) axis.resize(tokens);
  std::int64_t next = first_position;
  std::size_t image = 0;
  for (std::size_t at = 0; at < tokens;) {
    if (!prompt.spatial_positions || sequence->is_image[at] == 0) {
      for (std::vector<std::int64_t>& axis : sequence->positions) axis[at] = next;
      ++next;
      ++at;
      continue;
    }
    const auto grid =
        image < images.size() ? token_grid(prompt, images[image]) : std::array<std::int64_t, 3>{};
    const std::int64_t slots = grid[0] * grid[1] * grid[2];
    if (slots < 1 || slots_from(*sequence, at, slots) != slots) {
      throw Error(ErrorCode::internal, "the image slots do not match the sizes of the images");
    }
    place_image(grid, next, at, sequence);
    // Text after an image continues after its largest position on any axis, as in Qwen2-VL.
    next += std::max({grid[0], grid[1], grid[2]});
    at += static_cast<std::size_t>(slots);
    ++image;
  }
  sequence->next_position = next;
}

}  // namespace fineprint::models
