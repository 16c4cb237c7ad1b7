// Wraps Tesseract's LSTM engine.
#include "fineprint/ocr/recognizer.h"

#include <algorithm>
#include <sstream>

#include <tesseract/baseapi.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "ocr/doubted.h"

namespace fineprint::ocr {
namespace {

// Discards Tesseract's messages.
void silence(tesseract::TessBaseAPI* engine) { engine->SetVariable("debug_file", "/dev/null"); }

std::vector<std::string> languages_of(tesseract::TessBaseAPI* engine) {
  std::vector<std::string> languages;
  engine->GetAvailableLanguagesAsVector(&languages);
  std::sort(languages.begin(), languages.end());
  return languages;
}

// Returns the Debian package of a language: its code with '_' written as '-'.
std::string package_of(std::string language) {
  std::replace(language.begin(), language.end(), '_', '-');
  return "tesseract-ocr-" + language;
}

// Checked here, because Tesseract itself only fails without naming the language.
void check_languages(const std::string& wanted, const std::vector<std::string>& installed) {
  std::istringstream list(wanted);
  std::string language;
  bool any = false;
  while (std::getline(list, language, '+')) {
    any = true;
    if (std::binary_search(installed.begin(), installed.end(), language)) continue;
    throw Error(ErrorCode::unsupported,
                format("OCR language '{}' is not installed (installed: {}); on Debian: "
                       "apt install {}",
                       language, installed.empty() ? "none" : join_texts(installed, ", "),
                       package_of(language)));
  }
  if (!any) throw Error(ErrorCode::unsupported, "no OCR language was given; try 'eng'");
}

// Reads Tesseract's result word by word.
class WordReader {
 public:
  WordReader(tesseract::ResultIterator* at, double dpi) : at_(at), points_per_pixel_(72 / dpi) {}

  std::vector<RecognizedWord> read() {
    bool first = true;
    do {
      if (!first && at_->IsAtBeginningOf(tesseract::RIL_BLOCK)) ++block_;
      if (!first && at_->IsAtBeginningOf(tesseract::RIL_TEXTLINE)) ++line_;
      first = false;
      add_word();
    } while (at_->Next(tesseract::RIL_WORD));
    return std::move(words_);
  }

 private:
  Box box_of(tesseract::PageIteratorLevel level) const {
    int left = 0, top = 0, right = 0, bottom = 0;
    if (!at_->BoundingBox(level, &left, &top, &right, &bottom)) return {};
    const auto points = [&](int pixels) { return static_cast<float>(pixels * points_per_pixel_); };
    return {points(left), points(top), points(right), points(bottom)};
  }

  // Removes blanks inside a word, because words are split at blanks everywhere else.
  void add_word() {
    const std::unique_ptr<const char[]> text(at_->GetUTF8Text(tesseract::RIL_WORD));
    const double confidence = at_->Confidence(tesseract::RIL_WORD) / 100;
    const Box box = box_of(tesseract::RIL_WORD);
    // A word without a place could not be marked on the page.
    if (text == nullptr || box.empty()) return;
    Word word;
    for (const char* c = text.get(); *c != '\0'; ++c) {
      if (static_cast<unsigned char>(*c) > ' ') word.text += *c;
    }
    if (word.text.empty()) return;
    word.box = box;
    // The height of the line and not of the word, because a word without tall letters would look
    // smaller.
    word.size_pt = box_of(tesseract::RIL_TEXTLINE).height();
    word.confidence = static_cast<float>(std::clamp(confidence, 0.0, 1.0));
    words_.push_back({std::move(word), line_, block_});
  }

  tesseract::ResultIterator* at_;
  double points_per_pixel_;
  std::uint32_t line_ = 0;
  std::uint32_t block_ = 0;
  std::vector<RecognizedWord> words_;
};

}  // namespace

struct Recognizer::State {
  tesseract::TessBaseAPI engine;
};

Recognizer::Recognizer(const std::string& languages) : state_(std::make_unique<State>()) {
  check_languages(languages, installed_languages());
  silence(&state_->engine);
  if (state_->engine.Init(nullptr, languages.c_str(), tesseract::OEM_LSTM_ONLY) != 0) {
    throw Error(ErrorCode::unsupported,
                format("cannot load the OCR language data '{}'; install it again", languages));
  }
  state_->engine.SetPageSegMode(tesseract::PSM_AUTO);
}

Recognizer::~Recognizer() = default;

Recognition Recognizer::recognize(const Image& grey, double dpi, double min_confidence) {
  if (!is_readable(grey, dpi)) return {};
  tesseract::TessBaseAPI& engine = state_->engine;
  engine.SetImage(grey.pixels.data(), grey.width, grey.height, 1, grey.width);
  // Without it Tesseract would estimate the resolution from the sizes of letters.
  engine.SetSourceResolution(static_cast<int>(dpi + 0.5));
  Recognition found;
  if (engine.Recognize(nullptr) == 0) {
    const std::unique_ptr<tesseract::ResultIterator> result(engine.GetIterator());
    if (result != nullptr) found.words = WordReader(result.get(), dpi).read();
  }
  // Frees the picture and the results, which take many times the memory of the words.
  engine.Clear();
  // Before doubted lines are dropped, because it says how well the page could be read.
  found.confidence = mean_confidence(found.words);
  drop_doubted_lines(found.words, min_confidence);
  return found;
}

std::vector<std::string> installed_languages() {
  tesseract::TessBaseAPI engine;
  silence(&engine);
  // Only Init finds the folder of the language data. It does so even if this language is missing
  // there.
  engine.Init(nullptr, "osd", tesseract::OEM_DEFAULT);
  return languages_of(&engine);
}

std::string language_folder() {
  tesseract::TessBaseAPI engine;
  silence(&engine);
  // Only Init finds the folder. Data that cannot be read saves the time of loading it.
  const auto nothing = [](const char*, std::vector<char>*) { return false; };
  engine.Init(nullptr, 0, "osd", tesseract::OEM_DEFAULT, nullptr, 0, nullptr, nullptr, false,
              nothing);
  const char* folder = engine.GetDatapath();
  return folder == nullptr ? "" : folder;
}

std::string tesseract_version() { return tesseract::TessBaseAPI::Version(); }

}  // namespace fineprint::ocr
