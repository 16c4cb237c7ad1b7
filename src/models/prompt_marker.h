// Image markers in texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/models/prompt.h"

namespace fineprint::models {

// The marker of the image of this number, from 1.
std::string marker_of(const Prompt& prompt, std::size_t number);

struct FoundMarker {
  std::size_t begin = 0, end = 0;  // bytes
  std::string_view number;         // its digits; empty when markers carry none
};

// All markers in a text, in order.
std::vector<FoundMarker> find_markers(const Prompt& prompt, std::string_view text);

// What stands for an image when markers are tiled: markers with `tile_marks` around them.
std::string tiles_text(const Prompt& prompt, const preprocess::PixelInput& image);

// How many tokens `tiles_text` adds to an image's slots, where each mark is a token, as in
// published tokenizers; 0 when markers are not tiled.
std::int64_t mark_tokens(const Prompt& prompt, const preprocess::PixelInput& image);

// The text with a space inside of each marker, so that it stands for no image.
std::string break_markers(const Prompt& prompt, std::string text);

}  // namespace fineprint::models
