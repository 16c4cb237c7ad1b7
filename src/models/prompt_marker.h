// Finds and writes image markers in texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/models/prompt.h"

namespace fineprint::models {

// Returns the marker of the image with this number, counted from 1.
std::string marker_of(const Prompt& prompt, std::size_t number);

// A marker in a text.
struct FoundMarker {
  std::size_t begin = 0, end = 0;  // bytes
  std::string_view number;         // its digits; empty if markers have no number
};

// Returns all markers in a text, in order.
std::vector<FoundMarker> find_markers(const Prompt& prompt, std::string_view text);

// Returns how many views an image has if markers are tiled: its tiles, and mostly the whole image.
std::int64_t views_of(const preprocess::PixelInput& image);

// Returns the text of an image if markers are tiled: markers with `tile_marks` around them.
std::string tiles_text(const Prompt& prompt, const preprocess::PixelInput& image);

// Returns the same if markers are in rows: a marker and the mark of the row's end for each row.
std::string rows_text(const Prompt& prompt, const preprocess::PixelInput& image);

// Returns how many tokens `tiles_text` or `rows_text` adds to an image's slots if each mark is one
// token, as in published tokenizers; 0 if markers are repeated or numbered.
std::int64_t mark_tokens(const Prompt& prompt, const preprocess::PixelInput& image);

// Returns the text with a space inside each marker, so that it no longer refers to an image.
std::string break_markers(const Prompt& prompt, std::string text);

}  // namespace fineprint::models
