// Reads the pages of one document in a worker: from the text layer, by OCR, or from both.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/markup/markup.h"
#include "fineprint/ocr/engine.h"
#include "fineprint/pdf/document.h"

#include "reading/parsed/parsed_document.h"
#include "reading/pictured_layout.h"
#include "reading/stated_tables.h"
#include "reading/turning.h"

namespace fineprint::reading {

// Keeps the engine of the last languages, because making one takes longer than reading a page.
class RecognizerCache {
 public:
  // `loaded` reads all languages; null: Tesseract reads what it is asked for.
  explicit RecognizerCache(std::unique_ptr<ocr::Engine> loaded = nullptr);

  // Returns an engine for these languages. Throws Error(unsupported) as ocr::Recognizer does.
  ocr::Engine& get(const std::string& languages);

 private:
  bool knows_all_ = false;
  std::string languages_;
  std::unique_ptr<ocr::Engine> engine_;
};

// What reads the pictures of pages.
struct PictureReaders {
  RecognizerCache recognizers;
  std::unique_ptr<const LayoutModel> layout = {};  // null: layout comes from geometry alone
};

// What the text layer of a page is worth. In documents::OcrMode::automatic, this decides whether
// OCR is worth its time, and what happens to the text layer.
enum class TextLayer {
  good,        // the text layer is complete
  incomplete,  // words are added that only the picture shows
  junk,        // the text layer is discarded
};

// How a document is opened.
struct Opening {
  std::vector<std::string> passwords = {};  // tried in order
  std::string encoding = {};                // of a text that does not say it; see markup.h
  bool operator==(const Opening&) const = default;
};

// One open document.
class PageReader {
 public:
  // Opens a document and tries the passwords in order. Uses the limits of pages, pixels and
  // characters. Throws Error naming the file.
  PageReader(const std::string& path, const Opening& opening, const documents::WorkerLimits& limits,
             PictureReaders& readers);

  // Lays out converted text. `path` is used only in messages.
  PageReader(const std::string& path, markup::Markup text, const documents::WorkerLimits& limits,
             PictureReaders& readers);

  // Return what the document holds besides its pages: files, and a form that the pages do not show.
  std::vector<EmbeddedFile> take_files() { return std::move(files_); }
  std::optional<markup::Markup> take_form() { return std::exchange(form_, std::nullopt); }

  DocumentInfo info() const;
  // Reads a page. If it cannot be read, it is returned with `problem` set. If it cannot be drawn
  // for OCR, it also has the words of its text layer (in documents::OcrMode::automatic). Before
  // such a page is drawn, `on_draft` gets the page as the text layer gives it, because drawing may
  // end this process. Throws Error only for causes that concern all pages, for example an OCR
  // language that is not installed.
  using OnDraft = std::function<void(const Page&)>;
  Page page(int number, const documents::ReadOptions& options, const OnDraft& on_draft = {});
  // Draws a page. See pdf::Document::draw.
  void draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room);

 private:
  // Text recognised in the picture of a page, and how the picture was turned to make its lines
  // straight and upright.
  struct Recognized {
    ocr::Recognition text;
    Turn turn;
  };

  // The parts of a page that are read from its picture.
  struct OcrPlan {
    TextLayer layer = TextLayer::good;
    std::vector<Box> pictures = {};  // with words that a good text layer lacks
    bool waits = false;              // OCR is left to a later reading
  };

  // Decides what to read by OCR. Calls `before_drawing` as read() does.
  OcrPlan plan_ocr(const pdf::RawPage& raw, documents::OcrMode mode, const OnDraft& before_drawing);
  // Judges the text layer as far as the mode asks for it, because a look at the page takes time.
  TextLayer text_layer(const pdf::RawPage& raw, documents::OcrMode mode,
                       const OnDraft& before_drawing);
  // Adds the words that the plan asks for. Returns how the page was turned to read them; the frame
  // of `raw` is turned by the same quarters.
  Turn read_by_ocr(pdf::RawPage& raw, const OcrPlan& plan, const documents::ReadOptions& options);
  // Returns what the layout model sees on a page that was turned to read it; nullopt without a
  // model or words. Calls `before_drawing` as read() does.
  std::optional<PicturedLayout> look_at(const pdf::RawPage& raw, const OcrPlan& plan,
                                        const Turn& turn, const OnDraft& before_drawing);
  // Returns the problem of the text of a page that was read, or an empty string. `had_text`:
  // its text layer had words.
  std::string problem_of(const pdf::RawPage& raw, bool had_text, TextLayer layer,
                         documents::OcrMode mode) const;
  // Reads a page. Calls `before_drawing` with the draft from the text layer, if the text layer is
  // kept.
  Page read(int number, const documents::ReadOptions& options, const OnDraft& before_drawing);
  // Hides the words that leave no ink. Returns why that was not possible, or an empty text.
  std::string hide_words(pdf::RawPage& raw, const OnDraft& before_drawing);
  // Returns the large pictures of a page with a text layer that seem to contain letters.
  std::vector<Box> pictures_with_letters(const pdf::RawPage& raw, const OnDraft& before_drawing);
  // Adds the words in these pictures to the page.
  void read_pictures(pdf::RawPage& raw, const std::vector<Box>& pictures,
                     const documents::ReadOptions& options);
  Recognized recognize(const pdf::RawPage& raw, const documents::ReadOptions& options, bool turn);
  Recognized recognize_turned(const Image& grey, double dpi, const std::string& languages,
                              int quarters);
  // Returns the picture of a page in grey, at `dpi` or at the highest resolution within the limit
  // of pixels. Sets `dpi` to the resolution used.
  Image draw_grey(const pdf::RawPage& raw, double& dpi);

  void open(const Opening& opening);
  // Opens a text in UTF-8 that has the place of the file; `kind` as in pdf::Content.
  void open_running_text(std::string text, const std::string& kind);
  void open_markup(markup::Markup text);
  void open_native(const std::vector<std::string>& passwords);

  // Returns the document that can be drawn and has a text layer. Throws Error(unsupported) if there
  // is only the output of another program.
  pdf::Document& document() const;
  // Returns the page as another program has read it, or nullopt if none has and it can be read
  // here.
  std::optional<Page> parsed_page(int number) const;

  std::string path_;
  std::string format_, title_;  // of a file that was converted before reading
  StatedTables stated_{{}};     // of a file that is laid out on pages
  std::string hidden_;          // text that such a file, or HTML, does not show
  documents::WorkerLimits limits_;
  bool is_running_text_ = false;  // laid out here, so that its text layer is what the file says
  std::unique_ptr<pdf::Document> document_;  // null if there is only the output of another program
  std::optional<ParsedDocument> parsed_;     // output of another program
  std::vector<EmbeddedFile> files_;
  std::optional<markup::Markup> form_;
  PictureReaders& readers_;
};

// The resolution at which ink without characters is looked for.
inline constexpr double kInkDpi = 40;
// Judges the text layer of a page. `grey` returns the page at kInkDpi. It is called only if the
// page has few characters, because drawing takes time.
TextLayer judge_text_layer(const pdf::RawPage& page, const std::function<Image()>& grey);
// Returns whether too many characters have no meaning. Needs no picture.
bool is_junk(const pdf::RawPage& page);

// Returns pictures that may show text which the text layer lacks. They are at least an inch wide
// and high, cover a good part of the page, and have hardly a word of the text layer on them.
std::vector<Box> large_pictures(const pdf::RawPage& page);
// Paints over the words of the page in its picture, so that only what the text layer does not
// explain is left.
void erase_words(Image& grey, const pdf::RawPage& page);

// Adds the recognised words that do not overlap a word of the page.
void add_recognized(pdf::RawPage& page, std::vector<ocr::RecognizedWord> words);

}  // namespace fineprint::reading
