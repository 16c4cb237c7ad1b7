// What every OCR engine gives for a picture.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"

namespace fineprint::ocr {

// A word with its place in the engine's layout.
struct RecognizedWord {
  Word word;                // box in points, see `recognize`
  std::uint32_t line = 0;   // index of the engine's line, counted over the page
  std::uint32_t block = 0;  // index of the engine's block, counted over the page
};

// The result for one picture.
struct Recognition {
  std::vector<RecognizedWord> words;
  // Mean confidence over the characters of all words found, including words that were dropped; 1 if
  // none was found. For straight print it is usually above 0.8; for print upside down, about a
  // third with Tesseract.
  double confidence = 1;
};

// Making one takes longer than reading a page, so reuse it. Not thread-safe.
class Engine {
 public:
  virtual ~Engine() = default;

  // Recognises the words of a grey picture that was drawn at `dpi`. Boxes are returned in points
  // (72 / dpi per pixel). Drops a line if most of its characters are in words with a confidence
  // below `min_confidence` (0 to 1). Returns nothing for a picture of less than 8 pixels a side.
  // Throws Error(internal) if the picture is not grey.
  virtual Recognition recognize(const Image& grey, double dpi, double min_confidence = 0.3) = 0;
};

// Throws Error(internal) unless a picture is grey and its resolution above 0. Returns whether it is
// large enough to be read.
bool is_readable(const Image& grey, double dpi);

}  // namespace fineprint::ocr
