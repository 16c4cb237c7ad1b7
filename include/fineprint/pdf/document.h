// Opens one document with MuPDF and reads or draws its pages: PDF, XPS, EPUB, FB2, MOBI, CBZ, HTML,
// text, Markdown, SVG, pictures (PNG, JPEG, TIFF, BMP, GIF, JPX), and the running text of DOCX,
// PPTX and XLSX.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/embedded_file.h"
#include "fineprint/core/image.h"

namespace fineprint::pdf {

// A word of which drawing must show whether it leaves any ink: white, covered, invisible, tiny.
struct DoubtfulWord {
  std::uint32_t word = 0;    // index into RawPage::words
  std::uint8_t reasons = 0;  // for Document::hide_words only
};

// The text of a sticky note, or of a comment on marked text, and the box of its sign or of what it
// marks; or a form field that has no label on the page, with the label that the file gives it.
struct Note {
  Box box;
  std::string text;  // UTF-8
};

// What MuPDF finds on a page, in the order of the file, which need not be the reading order. Boxes
// are in points, with the origin at the top left of the displayed page.
struct RawPage {
  int number = 0;  // from 1
  // The label that the file gives this page, for example "iv"; often empty.
  std::string label;
  float width_pt = 0, height_pt = 0;  // in points, as displayed
  // Clockwise, in degrees from 0 to 359, as the PDF asks for; already applied to the boxes.
  int rotation = 0;
  std::vector<Word> words;
  std::vector<std::uint32_t> line_of_word;   // index of MuPDF's line, counted over the page
  std::vector<std::uint32_t> block_of_word;  // index of MuPDF's block
  std::vector<Box> rules;          // thin straight lines and cell borders, horizontal or vertical
  std::vector<Box> images;         // boxes of pictures placed on the page
  std::vector<Box> drawings;       // bounding boxes of other vector paths
  std::vector<Note> notes;         // not drawn on the page
  std::size_t bad_characters = 0;  // U+FFFD, private use and control characters in the text layer
  std::size_t characters = 0;      // all characters of the text layer except blanks
  // Text of the text layer that leaves no ink on the page, in lines. Document::hide_words moves it
  // here.
  std::string hidden;
  std::vector<DoubtfulWord> doubts;          // ascending
  std::vector<std::uint32_t> doubted_texts;  // numbers of the texts that these words are from
  // True if the document has no other page.
  bool is_only = false;
  // True if the page has more text than was allowed. The rest of the text, and everything drawn
  // after it, is missing.
  bool cut = false;
};

// Decodes a JPEG to at least `width` x `height` pixels, or in full if it has fewer. The result has
// one of the scales 1, 1/2, 1/4 and 1/8, with sides rounded up, and is grey or RGB as stored. May
// throw, or return an empty picture, for a JPEG that it does not read.
using JpegDecoder =
    std::function<Image(std::span<const std::uint8_t> bytes, int width, int height)>;

// How a page becomes a picture.
struct Drawing {
  double dpi = 72;
  bool grey = false;
  std::int64_t max_pixels = 100'000'000;  // a larger picture is refused
  // Decodes the large JPEGs of scanned pages. If it is empty, MuPDF decodes them, which is several
  // times slower, and the picture differs in its last bits.
  JpegDecoder decode_jpeg;
};

// The converted contents of a file that MuPDF does not read itself, for example a CSV file as
// XHTML.
struct Content {
  std::string bytes;
  std::string kind;      // as a file extension: "xhtml", "pnm"
  float width_pt = 595;  // width of pages of running text, in points
  int pages = 0;  // pages become so high that there are no more than this; 0 if as many as fit
};

// An open document. Not thread-safe, and used only in worker processes, because a damaged file may
// crash MuPDF.
class Document {
 public:
  static constexpr std::int64_t kMaxPixels = 100'000'000;

  // Opens a file. An empty password means none. Throws Error with one of the codes unreadable,
  // empty, encrypted, wrong_password, damaged, unsupported, or too_large (running text of thousands
  // of pages).
  Document(const std::string& path, const std::string& password);
  // Opens converted contents. `path` is used only in messages. Throws the same errors.
  Document(const std::string& path, Content content);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // Returns format, title, page count and outline. A damaged outline is empty and throws nothing.
  DocumentInfo info() const;
  // Returns the files embedded in a PDF; see pdf/embedded.h for both.
  std::vector<EmbeddedFile> embedded_files() const;
  // Returns the XML of a form that the pages do not show, or "" if they show what there is.
  std::string dynamic_form() const;
  // Reads the words and boxes of page `number`, counted from 1. Reads at most `max_characters`,
  // including blanks. Throws Error naming the page and the reason: `damaged`, or another code if
  // MuPDF knows better, for example out_of_memory.
  RawPage page(int number, std::int64_t max_characters = 1'000'000);
  // Draws the doubtful words of a page that `page` returned, with and without them, and moves those
  // that leave no ink from `words` to `hidden`. Words over or under a picture that shows letters
  // stay: they are OCR of a scan. Then no word is doubtful any more. Throws Error naming the page
  // if it cannot be drawn; `page` is unchanged then.
  void hide_words(RawPage* page);
  // Draws a page on white with anti-aliasing, rotated as the file asks and cut to its crop box.
  // RGB, or grey if asked for. Throws Error(too_large) if the picture would exceed `max_pixels`.
  Image raster(int number, double dpi, bool grey, std::int64_t max_pixels = kMaxPixels);
  // Returns memory for width * height * channels bytes.
  using PixelRoom = std::function<std::uint8_t*(int width, int height, int channels)>;
  // Draws a page into memory that the caller provides, so that megabytes need not be copied. Throws
  // as `raster` does.
  void draw(int number, const Drawing& drawing, const PixelRoom& room);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the version of the loaded library, for example "1.28.5". Throws Error(internal) if it is
// not the version that this program was compiled for.
std::string mupdf_version();

// Checks that there is a file to open. Throws Error(unreadable) if it is missing, a directory, or
// not permitted, and Error(empty) if it has no bytes.
void check_file(const std::string& path);

}  // namespace fineprint::pdf
