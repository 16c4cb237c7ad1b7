// Pages of one document as a worker reads them: from the text layer, by OCR, or from both.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"
#include "fineprint/documents/reader.h"
#include "fineprint/ocr/recognizer.h"
#include "fineprint/pdf/document.h"

#include "documents/turning.h"

namespace fineprint::documents {

// Keeps the recognizer of the last languages: making one takes longer than reading a page.
class RecognizerCache {
 public:
  // Throws Error(unsupported) as ocr::Recognizer does.
  ocr::Recognizer& get(const std::string& languages);

 private:
  std::string languages_;
  std::unique_ptr<ocr::Recognizer> recognizer_;
};

class PageReader {
 public:
  // Throws Error naming the file; tries the passwords in order. Of `limits` it keeps those of
  // pages, pixels and characters.
  PageReader(const std::string& path, const std::vector<std::string>& passwords,
             const WorkerLimits& limits, RecognizerCache& recognizers);

  DocumentInfo info() const;
  // A page that can't be read comes with `problem` set. Throws Error only for what concerns all
  // pages (an OCR language that is not installed).
  Page page(int number, const ReadOptions& options);
  // As pdf::Document::draw.
  void draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room);

 private:
  // What stands on the page's raster, which was turned to make its lines straight and upright.
  struct Recognized {
    ocr::Recognition text;
    Turn turn;
  };

  Page read(int number, const ReadOptions& options);
  Recognized recognize(const pdf::RawPage& raw, const ReadOptions& options, bool turn);
  Recognized recognize_turned(const Image& grey, double dpi, const std::string& languages,
                              int quarters);
  // The picture of a page in grey, at `dpi` or as much of it as the limit of pixels leaves; `dpi`
  // becomes what was taken.
  Image draw_grey(const pdf::RawPage& raw, double& dpi);

  std::string path_;
  WorkerLimits limits_;
  std::unique_ptr<pdf::Document> document_;
  RecognizerCache& recognizers_;
};

// Whether OCR is worth its time on a page in OcrMode::automatic, and what becomes of the text
// layer.
enum class TextLayer {
  good,        // the text layer is all there is
  incomplete,  // words are added that only the raster shows
  junk,        // the text layer is thrown away
};
// `grey` gives the page at kInkDpi and is called only when characters are few.
inline constexpr double kInkDpi = 40;
TextLayer judge_text_layer(const pdf::RawPage& page, const std::function<Image()>& grey);
// What needs no picture: too many of its characters have no meaning.
bool is_junk(const pdf::RawPage& page);

// Adds the recognized words that lie on no word of the page.
void add_recognized(pdf::RawPage& page, std::vector<ocr::RecognizedWord> words);

}  // namespace fineprint::documents
