// Reads pages: chooses between text layer and OCR, cleans pictures, arranges words.
#include "reading/page_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/documents/parsed_files.h"
#include "fineprint/documents/protocol.h"
#include "fineprint/image/clean.h"
#include "fineprint/image/codec.h"
#include "fineprint/markup/markup.h"
#include "fineprint/ocr/recognizer.h"

#include "reading/layout.h"

namespace fineprint::reading {
namespace {

// degrees; rotating blurs the page, and Tesseract tolerates less
constexpr double kLeastSkew = 0.3;
// The engine's confidence in a page. Print has about 0.9; upside down it has a third. Below this
// value, other directions are tried, too.
constexpr double kUpright = 0.6;

// Resolution of the first look for letters in pictures. At 100 dpi, print of 6 points is 8 pixels
// high.
constexpr double kLettersDpi = 100;
constexpr int kLeastLines = 2;

Image cut_out(const Image& page, const Box& box, double dpi) {
  const auto pixel = [&](float points) { return static_cast<int>(std::lround(points * dpi / 72)); };
  return image::cropped(page, pixel(box.x0), pixel(box.y0), pixel(box.x1), pixel(box.y1));
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Tries without a password first: most files have none, and many that have one can be read without
// it.
std::unique_ptr<pdf::Document> open_document(const std::string& path,
                                             const std::vector<std::string>& passwords) {
  try {
    return std::make_unique<pdf::Document>(path, "");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::encrypted || passwords.empty()) throw;
  }
  for (const std::string& password : passwords) {
    try {
      return std::make_unique<pdf::Document>(path, password);
    } catch (const Error& error) {
      // The document needs a password, and an empty one does not help. Try the next.
      const bool asks = password.empty() && error.code() == ErrorCode::encrypted;
      if (error.code() != ErrorCode::wrong_password && !asks) throw;
    }
  }
  throw Error(ErrorCode::wrong_password,
              format("{}: none of the {} passwords is right", path, passwords.size()));
}

void drop_text(pdf::RawPage& page) {
  page.words.clear();
  page.line_of_word.clear();
  page.block_of_word.clear();
}

// Returns whether the mode chooses between text layer and OCR page by page.
bool is_looked_at(documents::OcrMode mode) {
  return mode == documents::OcrMode::automatic || mode == documents::OcrMode::later;
}

// Missing OCR is not the fault of one page, so it ends the document.
struct NoRecognizer : Error {
  using Error::Error;
};

std::unique_ptr<ocr::Recognizer> new_recognizer(const std::string& languages) {
  try {
    return std::make_unique<ocr::Recognizer>(languages);
  } catch (const Error& error) {
    throw NoRecognizer(error.code(), error.what());
  }
}

}  // namespace

RecognizerCache::RecognizerCache(std::unique_ptr<ocr::Engine> loaded)
    : knows_all_(loaded != nullptr), engine_(std::move(loaded)) {}

// Drops the old engine first, so that there are never two in memory.
ocr::Engine& RecognizerCache::get(const std::string& languages) {
  if (!engine_ || (!knows_all_ && languages != languages_)) {
    engine_.reset();
    engine_ = new_recognizer(languages);
    languages_ = languages;
  }
  return *engine_;
}

PageReader::PageReader(const std::string& path, const Opening& opening,
                       const documents::WorkerLimits& limits, PictureReaders& readers)
    : path_(path), limits_(limits), readers_(readers) {
  open(opening);
  const DocumentInfo facts = info();
  const int pages = facts.page_count;
  is_running_text_ = facts.reflowable;
  if (pages > limits.max_pages) {
    throw Error(ErrorCode::too_large,
                format("{}: this document has {} pages, more than the limit of {}", path, pages,
                       limits.max_pages));
  }
}

void PageReader::open_running_text(std::string text, const std::string& kind) {
  stated_ = StatedTables(markup::stated_tables(path_, text));
  document_ =
      std::make_unique<pdf::Document>(path_, pdf::Content{.bytes = std::move(text), .kind = kind});
}

PageReader::PageReader(const std::string& path, markup::Markup text,
                       const documents::WorkerLimits& limits, PictureReaders& readers)
    : path_(path), limits_(limits), readers_(readers) {
  open_markup(std::move(text));
}

void PageReader::open(const Opening& opening) {
  if (documents::parsed_form(path_) != documents::ParsedForm::none) {
    pdf::check_file(path_);
    parsed_ = read_parsed(path_);
    return;
  }
  const std::string parsed = documents::parsed_beside(path_);
  if (!parsed.empty()) parsed_ = read_parsed(parsed);
  if (markup::has_markup_name(path_) || markup::is_office_package(path_)) {
    pdf::check_file(path_);
    open_markup(markup::read_markup(path_, opening.encoding));
  } else if (image::is_converted(bytes_of(file_head(path_, kSignatureBytes)))) {
    format_ = "PNM";
    const std::string file = read_file(path_);
    document_ = std::make_unique<pdf::Document>(
        path_, pdf::Content{.bytes = image::encode_pnm(
                                image::decode_converted(bytes_of(file), path_, limits_.max_pixels)),
                            .kind = "pnm"});
  } else if (std::optional<markup::ShownHtml> shown = markup::shown_html(path_, opening.encoding)) {
    hidden_ = std::move(shown->hidden);
    open_running_text(std::move(shown->html), "html");
  } else if (std::optional<std::string> text = markup::text_in_utf8(path_, opening.encoding)) {
    open_running_text(*std::move(text), extension_of(path_));
  } else {
    open_native(opening.passwords);
    if (markup::states_tables(path_)) {
      stated_ = StatedTables(markup::stated_tables(path_, read_file(path_)));
    }
  }
}

void PageReader::open_markup(markup::Markup text) {
  format_ = std::move(text.format);
  title_ = std::move(text.title);
  hidden_ = std::move(text.hidden);
  stated_ = StatedTables(std::move(text.tables));
  files_ = std::move(text.files);
  document_ = std::make_unique<pdf::Document>(path_, pdf::Content{.bytes = std::move(text.xhtml),
                                                                  .kind = "xhtml",
                                                                  .width_pt = text.width_pt,
                                                                  .pages = text.pages});
}

void PageReader::open_native(const std::vector<std::string>& passwords) {
  document_ = open_document(path_, passwords);
  files_ = document_->embedded_files();
  if (const std::string form = document_->dynamic_form(); !form.empty()) {
    try {
      form_ = markup::form_markup(path_, form);
    } catch (const Error&) {  // named as a form without texts
      form_.emplace();
    }
  }
}

pdf::Document& PageReader::document() const {
  if (document_ == nullptr) {
    throw Error(
        ErrorCode::unsupported,
        format("{}: its pages cannot be drawn, because only the text that {} has read is here; put "
               "the PDF next to it",
               path_, parsed_->format));
  }
  return *document_;
}

DocumentInfo PageReader::info() const {
  DocumentInfo info;
  if (document_ != nullptr) {
    info = document_->info();
  } else {
    info.page_count = parsed_->pages.back().number;
    info.reflowable = parsed_->reflowable;
  }
  if (parsed_) {
    info.format += (info.format.empty() ? "" : ", ") + std::string("read by ") + parsed_->format;
    if (info.title.empty()) info.title = parsed_->title;
  }
  if (!format_.empty()) info.format = format_;
  if (!title_.empty()) info.title = title_;
  return info;
}

void PageReader::draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room) {
  const auto decode = [this](std::span<const std::uint8_t> bytes, int width, int height) {
    return image::decode_jpeg_at_least(bytes, width, height, limits_.max_pixels);
  };
  document().draw(
      number, {.dpi = dpi, .grey = grey, .max_pixels = limits_.max_pixels, .decode_jpeg = decode},
      room);
}

Image PageReader::draw_grey(const pdf::RawPage& raw, double& dpi) {
  const auto pixels = [&] {  // sides are rounded up at both ends
    return (raw.width_pt * dpi / 72 + 2) * (raw.height_pt * dpi / 72 + 2);
  };
  // A poster is read at a lower resolution and not refused, because its letters are large.
  while (dpi > 1 && pixels() > static_cast<double>(limits_.max_pixels)) dpi *= 0.95;
  return document().raster(raw.number, dpi, true, limits_.max_pixels);
}

PageReader::Recognized PageReader::recognize_turned(const Image& grey, double dpi,
                                                    const std::string& languages, int quarters) {
  Recognized found;
  Image picture = image::quarter_turned(grey, quarters);
  found.turn = {.quarters = quarters, .degrees = -image::skew_degrees(picture)};
  if (std::abs(found.turn.degrees) > kLeastSkew) {
    picture = image::rotate(picture, found.turn.degrees);
  } else {
    found.turn.degrees = 0;
  }
  found.text = readers_.recognizers.get(languages).recognize(picture, dpi);
  return found;
}

PageReader::Recognized PageReader::recognize(const pdf::RawPage& raw,
                                             const documents::ReadOptions& options, bool turn) {
  double dpi = options.ocr_dpi;
  const Image grey = draw_grey(raw, dpi);
  if (!turn)
    return {.text = readers_.recognizers.get(options.ocr_languages).recognize(grey, dpi),
            .turn = {}};
  // A table on its side usually has its head at the left edge. Each direction takes a complete
  // recognition, so the most likely one comes first, and the search stops at a direction that reads
  // well.
  const std::vector<int> ways =
      image::is_sideways(grey) ? std::vector<int>{3, 1, 0} : std::vector<int>{0, 2};
  Recognized best;
  for (const int quarters : ways) {
    Recognized found = recognize_turned(grey, dpi, options.ocr_languages, quarters);
    if (quarters == ways.front() || found.text.confidence > best.text.confidence) {
      best = std::move(found);
    }
    if (best.text.confidence >= kUpright) break;
  }
  return best;
}

std::vector<Box> PageReader::pictures_with_letters(const pdf::RawPage& raw,
                                                   const OnDraft& before_drawing) {
  std::vector<Box> pictures = large_pictures(raw);
  if (pictures.empty() || raw.words.empty()) return {};
  before_drawing(lay_out(raw));
  double dpi = kLettersDpi;
  Image page = draw_grey(raw, dpi);
  // Letters that the text layer has already must not count.
  erase_words(page, raw);
  std::erase_if(pictures, [&](const Box& box) {
    return image::lines_of_letters(cut_out(page, box, dpi), dpi) < kLeastLines;
  });
  return pictures;
}

void PageReader::read_pictures(pdf::RawPage& raw, const std::vector<Box>& pictures,
                               const documents::ReadOptions& options) {
  double dpi = options.ocr_dpi;
  const Image page = draw_grey(raw, dpi);
  for (const Box& box : pictures) {
    ocr::Recognition found =
        readers_.recognizers.get(options.ocr_languages).recognize(cut_out(page, box, dpi), dpi);
    if (found.confidence < kUpright) continue;  // foliage, fabric, handwriting
    for (ocr::RecognizedWord& word : found.words) {
      Box& place = word.word.box;
      place = {place.x0 + box.x0, place.y0 + box.y0, place.x1 + box.x0, place.y1 + box.y0};
    }
    add_recognized(raw, std::move(found.words));
  }
}

std::optional<Page> PageReader::parsed_page(int number) const {
  const ParsedPage* parsed = parsed_ ? parsed_->page(number) : nullptr;
  // For a file without a PDF, a missing page is an empty page.
  if (document_ == nullptr) {
    ParsedPage missing;
    missing.number = number;
    return arrange(parsed == nullptr ? missing : *parsed, nullptr);
  }
  if (parsed == nullptr) return std::nullopt;
  const pdf::RawPage raw = document_->page(number, limits_.max_characters);
  return arrange(*parsed, &raw);
}

TextLayer PageReader::text_layer(const pdf::RawPage& raw, documents::OcrMode mode,
                                 const OnDraft& before_drawing) {
  if (mode == documents::OcrMode::always) return TextLayer::junk;
  if (!is_looked_at(mode)) return TextLayer::good;
  // In the picture of a text that was laid out here, letters that no font has are empty boxes.
  if (is_running_text_ && (raw.images.empty() || is_junk(raw))) return TextLayer::good;
  double dpi = kInkDpi;
  return judge_text_layer(raw, [&] {
    if (!raw.words.empty()) before_drawing(lay_out(raw));
    return draw_grey(raw, dpi);
  });
}

PageReader::OcrPlan PageReader::plan_ocr(const pdf::RawPage& raw, documents::OcrMode mode,
                                         const OnDraft& before_drawing) {
  OcrPlan plan;
  plan.layer = text_layer(raw, mode, before_drawing);
  if (plan.layer == TextLayer::good && is_looked_at(mode)) {
    plan.pictures = pictures_with_letters(raw, before_drawing);
  }
  const bool needs_ocr = plan.layer != TextLayer::good || !plan.pictures.empty();
  plan.waits = needs_ocr && mode == documents::OcrMode::later;
  return plan;
}

Turn PageReader::read_by_ocr(pdf::RawPage& raw, const OcrPlan& plan,
                             const documents::ReadOptions& options) {
  if (!plan.pictures.empty()) read_pictures(raw, plan.pictures, options);
  if (plan.layer == TextLayer::good) return {};
  // A page with some text of its own was made by a program, so it is not skewed.
  const bool may_be_turned = raw.words.empty();
  Recognized found = recognize(raw, options, may_be_turned);
  turn_frame(raw, found.turn.quarters);
  add_recognized(raw, std::move(found.text.words));
  return found.turn;
}

// Tables and pictures are looked for only where a picture says what there is. Elsewhere the file
// does, better.
std::optional<PicturedLayout> PageReader::look_at(const pdf::RawPage& raw, const OcrPlan& plan,
                                                  const Turn& turn, const OnDraft& before_drawing) {
  if (!readers_.layout || raw.words.empty() || plan.waits) return std::nullopt;
  std::vector<Box> areas = plan.pictures;
  if (plan.layer != TextLayer::good) areas = {{0, 0, raw.width_pt, raw.height_pt}};
  if (areas.empty()) before_drawing(lay_out(raw));
  return pictured_layout(*readers_.layout, raw, areas, [&](double dpi) {
    Image picture = image::quarter_turned(draw_grey(raw, dpi), turn.quarters);
    return turn.degrees == 0 ? picture : image::rotate(picture, turn.degrees);
  });
}

std::string PageReader::problem_of(const pdf::RawPage& raw, bool had_text, TextLayer layer,
                                   documents::OcrMode mode) const {
  if (had_text && raw.words.empty()) {
    return mode == documents::OcrMode::always
               ? "OCR found no words, although --ocr always asked for it; --ocr auto keeps the "
                 "text "
                 "layer"
               : "its text layer is unreadable and OCR found no words";
  }
  if (mode == documents::OcrMode::never && is_junk(raw)) {
    return "its text layer is unreadable; --ocr auto may read the page";
  }
  if (raw.cut && layer != TextLayer::junk) {
    return format("{}: the page has more than {} characters; the rest of its text is left out",
                  code_name(ErrorCode::too_large), limits_.max_characters);
  }
  return "";
}

std::string PageReader::hide_words(pdf::RawPage& raw, const OnDraft& before_drawing) {
  // Our layout of HTML lacks pictures and colours that a browser would show under a text.
  if (raw.doubts.empty() || markup::is_html_name(path_)) return "";
  before_drawing(lay_out(raw));
  try {
    document_->hide_words(&raw);
    return "";
  } catch (const Error& error) {
    return format("{}: some of its words may be hidden, which could not be checked: {}",
                  code_name(error.code()), error.what());
  }
}

// Layout works in the frame of the turned picture. Rules and pictures are turned into it, words
// come from it, and the whole page is turned back at the end.
Page PageReader::read(int number, const documents::ReadOptions& options,
                      const OnDraft& before_drawing) {
  if (std::optional<Page> parsed = parsed_page(number)) return *std::move(parsed);
  pdf::RawPage raw = document_->page(number, limits_.max_characters);
  raw.is_only = document_->info().page_count == 1;
  const std::string unchecked =
      options.ocr == documents::OcrMode::always ? "" : hide_words(raw, before_drawing);
  std::vector<PlacedTable> tables = stated_.on_page(
      &raw, [&](int before) { return document_->page(before, limits_.max_characters); });
  const OcrPlan plan = plan_ocr(raw, options.ocr, before_drawing);
  const bool had_text = !raw.words.empty();
  if (plan.layer == TextLayer::junk) {
    drop_text(raw);
    tables.clear();
  }
  const std::size_t native = raw.words.size();
  const Turn turn = plan.waits ? Turn() : read_by_ocr(raw, plan, options);
  const std::optional<PicturedLayout> pictured = look_at(raw, plan, turn, before_drawing);
  if (pictured) {
    raw.images.insert(raw.images.end(), pictured->pictures.begin(), pictured->pictures.end());
  }
  // Before turning back, because rows are recognised by their height.
  Page page = lay_out(raw, tables, pictured ? &*pictured : nullptr);
  turn_back(page, turn);
  page.waits = plan.waits;
  page.hidden = raw.hidden;
  if (number == 1 && !hidden_.empty()) {
    page.hidden += (page.hidden.empty() ? "" : "\n") + hidden_;
  }
  if (raw.words.size() > 2 * native) page.source = TextSource::ocr;  // most words come from OCR
  if (!plan.waits) page.problem = problem_of(raw, had_text, plan.layer, options.ocr);
  if (page.problem.empty() && plan.layer != TextLayer::junk) page.problem = unchecked;
  return page;
}

Page PageReader::page(int number, const documents::ReadOptions& options, const OnDraft& on_draft) {
  std::optional<Page> draft;
  try {
    return read(number, options, [&](const Page& page) {
      draft = page;  // a later draft has fewer hidden words
      if (on_draft) on_draft(page);
    });
    // Concerns every page of the document.
  } catch (const NoRecognizer&) {
    throw;
  } catch (const Error& error) {
    if (draft) return documents::with_text_only(*std::move(draft), error.code(), error.what());
    Page page;
    page.number = number;
    page.problem = format("{}: {}", code_name(error.code()), error.what());
    return page;
  }
}

}  // namespace fineprint::reading
