// Reads the text of a line from the probabilities of a recognition network.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fineprint::ocr {

// A part of a line without spaces.
struct LineWord {
  std::string text;
  double confidence = 0;       // mean of its characters'
  std::size_t characters = 0;  // number
  // Where it begins and ends along the line: 0 is the left edge of the picture, 1 the right edge.
  double from = 0, to = 1;
};

// Decodes by CTC, greedily: of every step the likeliest class counts, repetitions and blanks
// (class 0) are left out. `steps` holds the probabilities of `characters.size()` classes for each
// step. Only the first `share` (0 to 1] of the steps belongs to the line's picture; the rest is
// padding. Spaces at the ends are left out, too. The first word begins at 0, the last ends at 1,
// and words between meet spaces in proportion to the steps of the characters next to these.
std::vector<LineWord> decode_line(std::span<const float> steps,
                                  const std::vector<std::string>& characters, double share);

}  // namespace fineprint::ocr
