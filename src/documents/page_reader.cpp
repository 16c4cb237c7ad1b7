// Reads pages: decides between text layer and OCR, cleans rasters, arranges words.
#include "documents/page_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "fineprint/core/format.h"
#include "fineprint/image/clean.h"
#include "fineprint/image/codec.h"

#include "documents/layout.h"

namespace fineprint::documents {
namespace {

constexpr double kLeastSkew = 0.3;  // degrees; turning blurs, and less does not hurt Tesseract
// Tesseract's confidence in a page. Print has 0.9, upside down a third: below this the other way
// up is tried too.
constexpr double kUpright = 0.6;

// Without a password first: most files have none, and many of those that have can be read without.
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
      // Encrypted whatever the password: none is of use here.
      const bool asks = password.empty() && error.code() == ErrorCode::encrypted;
      if (error.code() != ErrorCode::wrong_password && !asks) throw;
    }
  }
  throw Error(ErrorCode::wrong_password,
              format("{}: none of the {} passwords opens it", path, passwords.size()));
}

void drop_text(pdf::RawPage& page) {
  page.words.clear();
  page.line_of_word.clear();
  page.block_of_word.clear();
}

// That there is no OCR is not a page's fault: it ends the document.
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

ocr::Recognizer& RecognizerCache::get(const std::string& languages) {
  if (!recognizer_ || languages != languages_) {
    recognizer_.reset();
    recognizer_ = new_recognizer(languages);
    languages_ = languages;
  }
  return *recognizer_;
}

PageReader::PageReader(const std::string& path, const std::vector<std::string>& passwords,
                       const WorkerLimits& limits, RecognizerCache& recognizers)
    : path_(path),
      limits_(limits),
      document_(open_document(path, passwords)),
      recognizers_(recognizers) {
  const int pages = document_->info().page_count;
  if (pages > limits.max_pages) {
    throw Error(ErrorCode::too_large, format("{}: has {} pages, more than the limit of {}", path,
                                             pages, limits.max_pages));
  }
}

DocumentInfo PageReader::info() const { return document_->info(); }

void PageReader::draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room) {
  const auto decode = [this](std::span<const std::uint8_t> bytes, int width, int height) {
    return image::decode_jpeg_at_least(bytes, width, height, limits_.max_pixels);
  };
  document_->draw(
      number, {.dpi = dpi, .grey = grey, .max_pixels = limits_.max_pixels, .decode_jpeg = decode},
      room);
}

Image PageReader::draw_grey(const pdf::RawPage& raw, double& dpi) {
  const auto pixels = [&] {  // sides are rounded up, at both ends
    return (raw.width_pt * dpi / 72 + 2) * (raw.height_pt * dpi / 72 + 2);
  };
  // A poster is read at fewer dots rather than refused: its letters are large.
  while (dpi > 1 && pixels() > static_cast<double>(limits_.max_pixels)) dpi *= 0.95;
  return document_->raster(raw.number, dpi, true, limits_.max_pixels);
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
  found.text = recognizers_.get(languages).recognize(picture, dpi);
  return found;
}

PageReader::Recognized PageReader::recognize(const pdf::RawPage& raw, const ReadOptions& options,
                                             bool turn) {
  double dpi = options.ocr_dpi;
  const Image grey = draw_grey(raw, dpi);
  if (!turn)
    return {.text = recognizers_.get(options.ocr_languages).recognize(grey, dpi), .turn = {}};
  // A table that lies on its side most often has its head at the left edge.
  // Each way costs a whole recognition, so the likeliest comes first and the search ends when it
  // reads well.
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

Page PageReader::read(int number, const ReadOptions& options) {
  pdf::RawPage raw = document_->page(number, limits_.max_characters);
  TextLayer layer = TextLayer::good;
  if (options.ocr == OcrMode::always) layer = TextLayer::junk;
  if (options.ocr == OcrMode::automatic) {
    double dpi = kInkDpi;
    layer = judge_text_layer(raw, [&] { return draw_grey(raw, dpi); });
  }
  const bool had_text = !raw.words.empty();
  if (layer == TextLayer::junk) drop_text(raw);
  const std::size_t native = raw.words.size();
  // Everything that layout sees is in the frame of the turned picture: rules and pictures are
  // turned into it, words come from it, and the whole page is turned back at the end.
  Recognized found;
  // A page with some text of its own was set by a program: it is not skewed.
  if (layer != TextLayer::good) found = recognize(raw, options, native == 0);
  turn_frame(raw, found.turn.quarters);
  add_recognized(raw, std::move(found.text.words));
  Page page = lay_out(raw);  // before turning back: rows are told by their height
  turn_back(page, found.turn);
  if (raw.words.size() > 2 * native) page.source = TextSource::ocr;  // most words are read
  if (had_text && raw.words.empty()) {
    page.problem = options.ocr == OcrMode::always
                       ? "OCR, which was asked for, found no words; --ocr auto keeps its text layer"
                       : "its text layer is unreadable and OCR found no words";
  } else if (options.ocr == OcrMode::never && is_junk(raw)) {
    page.problem = "its text layer is unreadable; OCR may read it: --ocr auto";
  } else if (raw.cut && layer != TextLayer::junk) {
    page.problem = format("{}: has more than {} characters; the text after them is left out",
                          code_name(ErrorCode::too_large), limits_.max_characters);
  }
  return page;
}

Page PageReader::page(int number, const ReadOptions& options) {
  try {
    return read(number, options);
  } catch (const NoRecognizer&) {
    throw;
  } catch (const Error& error) {
    Page page;
    page.number = number;
    page.problem = format("{}: {}", code_name(error.code()), error.what());
    return page;
  }
}

}  // namespace fineprint::documents
