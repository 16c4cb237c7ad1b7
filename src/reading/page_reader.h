// Pages of one document as a worker reads them: from the text layer, by OCR, or from both.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"
#include "fineprint/documents/reader.h"
#include "fineprint/ocr/recognizer.h"
#include "fineprint/pdf/document.h"

#include "reading/parsed/parsed_document.h"
#include "reading/turning.h"

namespace fineprint::reading {

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
             const documents::WorkerLimits& limits, RecognizerCache& recognizers);

  DocumentInfo info() const;
  // A page that can't be read comes with `problem` set; one that can't be drawn for OCR with the
  // words of its text layer, too, in documents::OcrMode::automatic. Before such a page is drawn,
  // which may end this process, `on_draft` gets what the text layer gives. Throws Error only for
  // what concerns all pages (an OCR language that is not installed).
  using OnDraft = std::function<void(const Page&)>;
  Page page(int number, const documents::ReadOptions& options, const OnDraft& on_draft = {});
  // As pdf::Document::draw.
  void draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room);

 private:
  // What stands on the page's raster, which was turned to make its lines straight and upright.
  struct Recognized {
    ocr::Recognition text;
    Turn turn;
  };

  // Calls `before_drawing` with what the text layer gives, if that is to be kept.
  Page read(int number, const documents::ReadOptions& options, const OnDraft& before_drawing);
  // Large pictures of a page with a text layer that seem to hold letters.
  std::vector<Box> pictures_with_letters(const pdf::RawPage& raw, const OnDraft& before_drawing);
  // Adds what they say.
  void read_pictures(pdf::RawPage& raw, const std::vector<Box>& pictures,
                     const documents::ReadOptions& options);
  Recognized recognize(const pdf::RawPage& raw, const documents::ReadOptions& options, bool turn);
  Recognized recognize_turned(const Image& grey, double dpi, const std::string& languages,
                              int quarters);
  // The picture of a page in grey, at `dpi` or as much of it as the limit of pixels leaves; `dpi`
  // becomes what was taken.
  Image draw_grey(const pdf::RawPage& raw, double& dpi);

  void open(const std::vector<std::string>& passwords);

  // Draws, and gives the text layer. Throws Error(unsupported) where all that there is was read by
  // another program.
  pdf::Document& document() const;
  // nullopt where no other program has read the page, and it can be read here.
  std::optional<Page> parsed_page(int number) const;

  std::string path_;
  std::string format_, title_;  // of what was made into something else to be read
  documents::WorkerLimits limits_;
  std::unique_ptr<pdf::Document> document_;  // none of a lone reading by another program
  std::optional<ParsedDocument> parsed_;     // by another program
  RecognizerCache& recognizers_;
};

// Whether OCR is worth its time on a page in documents::OcrMode::automatic, and what becomes of the
// text layer.
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

// Pictures of a page that may show text which its text layer lacks: an inch or more wide and high,
// a good part of the page, and with hardly a word of the text layer on them.
std::vector<Box> large_pictures(const pdf::RawPage& page);
// Paints the words of the page over in a picture of it, so that only what the text layer does not
// explain is left.
void erase_words(Image& grey, const pdf::RawPage& page);

// Adds the recognized words that lie on no word of the page.
void add_recognized(pdf::RawPage& page, std::vector<ocr::RecognizedWord> words);

}  // namespace fineprint::reading
