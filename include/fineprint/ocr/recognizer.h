// Reads words off a picture with Tesseract.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"

namespace fineprint::ocr {

struct RecognizedWord {
  Word word;               // box in points, see `recognize`
  std::uint32_t line = 0;  // Tesseract's line, numbered over the page
  std::uint32_t block = 0;
};

struct Recognition {
  std::vector<RecognizedWord> words;
  // Mean over the characters of all words seen, also of those left out; 1 when none was seen.
  // Straight print has above 0.8 as a rule, print upside down a third.
  double confidence = 1;
};

// One engine with one set of languages; slow to make, cheap to reuse. Not safe for several
// threads. OMP_THREAD_LIMIT=1 must be in the environment before the process starts.
class Recognizer {
 public:
  // `languages` as Tesseract writes them ("eng", "deu+eng"). Throws Error(unsupported) naming the
  // language that is not installed and the Debian package that has it.
  explicit Recognizer(const std::string& languages);
  ~Recognizer();

  // `grey` was rasterised at `dpi`; boxes come back in points (72 / dpi). Lines
  // most of whose characters stand in words under `min_confidence` (0..1) are dropped.
  Recognition recognize(const Image& grey, double dpi, double min_confidence = 0.3);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Installed language codes, sorted.
std::vector<std::string> installed_languages();
std::string tesseract_version();

}  // namespace fineprint::ocr
