// Recognises the words in a picture with Tesseract.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"

namespace fineprint::ocr {

// A word with its place in Tesseract's layout.
struct RecognizedWord {
  Word word;                // box in points, see `recognize`
  std::uint32_t line = 0;   // index of Tesseract's line, counted over the page
  std::uint32_t block = 0;  // index of Tesseract's block, counted over the page
};

// The result for one picture.
struct Recognition {
  std::vector<RecognizedWord> words;
  // Mean confidence over the characters of all words found, including words that were dropped; 1 if
  // none was found. For straight print it is usually above 0.8; for print upside down, about a
  // third.
  double confidence = 1;
};

// One engine for one set of languages. Making it is slow, so reuse it. Not thread-safe.
// OMP_THREAD_LIMIT=1 must be in the environment before the process starts, because Tesseract would
// otherwise start threads of its own.
class Recognizer {
 public:
  // `languages` are written as Tesseract does, for example "eng" or "deu+eng". Throws
  // Error(unsupported) if a language is not installed; the message names the Debian package that
  // provides it.
  explicit Recognizer(const std::string& languages);
  ~Recognizer();

  // Recognises the words of a grey picture that was drawn at `dpi`. Boxes are returned in points
  // (72 / dpi per pixel). Drops a line if most of its characters are in words with a confidence
  // below `min_confidence` (0 to 1). Returns nothing for a picture of less than 8 pixels a side.
  // Throws Error(internal) if the picture is not grey.
  Recognition recognize(const Image& grey, double dpi, double min_confidence = 0.3);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the installed language codes, sorted.
std::vector<std::string> installed_languages();
// Returns the folder of the language data, "" if Tesseract knows none. It need not exist.
std::string language_folder();
// Returns Tesseract's version, for example "5.3.0".
std::string tesseract_version();

}  // namespace fineprint::ocr
