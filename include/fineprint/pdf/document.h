// One document through MuPDF: PDF, XPS, EPUB, FB2, MOBI, CBZ, HTML, text, Markdown, SVG, pictures
// (PNG, JPEG, TIFF, BMP, GIF, JPX), and the running text of DOCX, PPTX and XLSX.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/image.h"

namespace fineprint::pdf {

// What MuPDF finds on a page, in the order of the file: not yet arranged for reading.
struct RawPage {
  int number = 0;  // from 1
  std::string label;
  float width_pt = 0, height_pt = 0;  // as displayed
  int rotation = 0;
  std::vector<Word> words;
  std::vector<std::uint32_t> line_of_word;   // MuPDF's own line, numbered over the page
  std::vector<std::uint32_t> block_of_word;  // MuPDF's own block
  std::vector<Box> rules;          // thin straight lines and cell borders, horizontal or vertical
  std::vector<Box> images;         // pictures placed on the page
  std::vector<Box> drawings;       // bounding boxes of other vector paths
  std::size_t bad_characters = 0;  // U+FFFD, private use and control characters in the text layer
  std::size_t characters = 0;      // all characters of the text layer, blanks not counted
  bool cut = false;  // has more text than was allowed: that, and what is drawn after it, is missing
};

// Decodes a JPEG to at least `width` x `height` pixels, or whole when it has fewer: by one of the
// scales 1, 1/2, 1/4 and 1/8, sides rounded up, grey or RGB as stored. May throw, or give back an
// empty picture, for what it does not read.
using JpegDecoder =
    std::function<Image(std::span<const std::uint8_t> bytes, int width, int height)>;

// How a page becomes a picture.
struct Drawing {
  double dpi = 72;
  bool grey = false;
  std::int64_t max_pixels = 100'000'000;  // more are refused
  // For the large JPEGs of scanned pages; empty: MuPDF's own, several times slower, and the picture
  // differs in its last bits.
  JpegDecoder decode_jpeg;
};

// What a file was made into that MuPDF does not read itself.
struct Content {
  std::string bytes;
  std::string kind;      // as a file's extension: "xhtml", "pnm"
  float width_pt = 595;  // of pages of running text
};

// A document held open. Not safe for several threads; lives in a worker process.
class Document {
 public:
  static constexpr std::int64_t kMaxPixels = 100'000'000;

  // Throws Error: unreadable, empty, encrypted, wrong_password, damaged, unsupported, too_large
  // (running text of thousands of pages).
  Document(const std::string& path, const std::string& password);
  // `path` stands in messages.
  Document(const std::string& path, Content content);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  DocumentInfo info() const;
  // `number` from 1; reads up to `max_characters`, blanks included. Throws Error(damaged) naming
  // page and reason.
  RawPage page(int number, std::int64_t max_characters = 1'000'000);
  // Anti-aliased on white, rotation applied, crop box respected. RGB, or grey if asked.
  // Throws Error(too_large) over `max_pixels`.
  Image raster(int number, double dpi, bool grey, std::int64_t max_pixels = kMaxPixels);
  // Gives the memory for width * height * channels values.
  using PixelRoom = std::function<std::uint8_t*(int width, int height, int channels)>;
  // The same, into memory of the caller's: what has megabytes is not copied.
  void draw(int number, const Drawing& drawing, const PixelRoom& room);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "1.28.5": the library that is loaded. Throws Error(internal) if it is not the one compiled for.
std::string mupdf_version();

// Whether there is a file to open. Throws Error: unreadable (missing, a directory, no permission)
// or empty.
void check_file(const std::string& path);

}  // namespace fineprint::pdf
