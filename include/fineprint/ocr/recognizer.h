// Recognises the words in a picture with Tesseract.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/ocr/engine.h"

namespace fineprint::ocr {

// Tesseract for one set of languages.
// OMP_THREAD_LIMIT=1 must be in the environment before the process starts, because Tesseract would
// otherwise start threads of its own.
class Recognizer : public Engine {
 public:
  // `languages` are written as Tesseract does, for example "eng" or "deu+eng". Throws
  // Error(unsupported) if a language is not installed; the message names the Debian package that
  // provides it.
  explicit Recognizer(const std::string& languages);
  ~Recognizer() override;

  Recognition recognize(const Image& grey, double dpi, double min_confidence = 0.3) override;

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
