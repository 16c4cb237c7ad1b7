// The content of a document: pages of words with boxes, arranged into lines and elements, and the
// chunks of text that searches look at. Plain values that every module passes along.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/geometry.h"

namespace fineprint {

// Where the words of a page come from: its text layer (`native`) or OCR. `none` if it has no words.
// The numbers are stored, so they must not change.
enum class TextSource : std::uint8_t { none = 0, native = 1, ocr = 2 };

// A run of characters without white space, as it is drawn. For example, "Revenue," is one word.
struct Word {
  std::string text;      // UTF-8, never empty, no white space
  Box box;               // in points, see geometry.h
  float size_pt = 0;     // font size in points; for OCR the height of the line
  float confidence = 1;  // 0..1, below 1 only for OCR
  // The style of the font, as far as the file states it.
  bool bold = false;
  bool italic = false;
  bool operator==(const Word&) const = default;
};

// Words that are read as one line: a line of a column, or a row of a table.
struct Line {
  std::uint32_t first_word = 0;  // index into Page::words
  std::uint32_t word_count = 0;
  // Around its words, in points.
  Box box;
  bool operator==(const Line&) const = default;
};

// The kind of an element. The numbers are stored, so they must not change.
enum class ElementKind : std::uint8_t {
  heading = 0,
  paragraph = 1,
  list_item = 2,
  table = 3,
  figure = 4,
  caption = 5,    // a caption without a table or figure; otherwise it is Element::caption
  furniture = 6,  // running heads, footers and page numbers: kept, but not chunked
};

// A cell of a table as the file states it, not as it was found on the page.
struct StatedCell {
  // Counted from 0 in the part of the table that is on this page.
  std::uint16_t row = 0, column = 0;
  std::uint16_t rows = 1, columns = 1;  // numbers of rows and columns that it spans, at least 1
  bool is_head = false;
  // The words [first_word, first_word + word_count) of Page::words.
  std::uint32_t first_word = 0;
  std::uint32_t word_count = 0;
  // What it holds if its words are on an earlier page: heads of a table that goes on here, and
  // cells that span rows. Otherwise empty.
  std::string text;
  bool operator==(const StatedCell&) const = default;
};

// A block of a page, in reading order. The lines of a table are its rows. A figure may have no
// lines.
struct Element {
  ElementKind kind = ElementKind::paragraph;
  // Around its lines, in points. For a figure, around the picture.
  Box box;
  std::uint32_t first_line = 0;  // index into Page::lines
  std::uint32_t line_count = 0;
  std::int32_t parent = -1;  // the heading above it, an index into Page::elements; -1 if none
  std::uint8_t level = 0;    // headings: 1 is the largest font size of the page
  std::string caption;       // tables and figures; empty if none was found
  // Of a table, row by row. Empty if the file states none, as most PDFs.
  std::vector<StatedCell> cells = {};
  bool operator==(const Element&) const = default;
};

// One page. Words, lines and elements are in reading order. Each word belongs to exactly one line,
// and each line to exactly one element.
struct Page {
  int number = 0;      // counted from 1 in the order of the file
  std::string label;   // the printed page number ("iv", "A-3"); empty if the file has none
  float width_pt = 0;  // in points, as displayed (rotation applied)
  float height_pt = 0;
  int rotation = 0;  // clockwise degrees the file asks for; already applied to all boxes
  // Where most of the words are from.
  TextSource source = TextSource::none;
  std::string language;  // ISO 639 code of most of its words; empty if unknown
  std::string problem;   // why some or all of its words are missing; empty if none are
  bool waits = false;    // OCR has not read it yet; stored in DocumentRow, not with the page
  // Text that the file has on this page but does not show, such as white on white or a hidden row.
  // Lines are separated by '\n'. Not part of the words. In running text, all of it is on page 1.
  std::string hidden;
  // The content. The comment above the struct says how the three lists depend on each other.
  std::vector<Word> words;
  std::vector<Line> lines;
  std::vector<Element> elements;
};

// One entry of a document's outline (its bookmarks). Entries are listed depth first.
struct OutlineEntry {
  int level = 1;  // 1 is the outermost level
  std::string title;
  int page = 0;  // counted from 1; 0 if the entry does not lead to a page of this document
};

// Facts about a document that are known before its pages are read.
struct DocumentInfo {
  std::string format;  // for example "PDF 1.7" or "PNG"
  std::string title;   // from the metadata; often empty or useless
  int page_count = 0;
  bool reflowable = false;  // page breaks come from our layout, not from the author's
  std::vector<OutlineEntry> outline;
  // Of a picture file: the pixels of its first picture, as displayed. Otherwise 0.
  int picture_width = 0, picture_height = 0;
};

// A run of words of one page with one text vector: what a text search finds. It never crosses a
// page.
struct Chunk {
  int page = 0;  // counted from 1
  // The words [first_word, first_word + word_count) of Page::words.
  std::uint32_t first_word = 0;
  std::uint32_t word_count = 0;
  Box box;              // the smallest box around its words
  std::string context;  // the document's title and the headings above it, "A > B"; may be empty
  std::string text;     // its lines, joined by '\n'
  bool operator==(const Chunk&) const = default;
};

// Appends `word` to `text`, separated by a blank. The blank is left out if the two characters that
// meet are both Chinese or Japanese, or if one is and the other is a digit or a percent sign,
// because these scripts write no blanks.
void append_word(std::string_view word, std::string* text);

// Returns the line's words, joined by single blanks.
std::string line_text(const Page& page, const Line& line);

// Returns the text that text encoders get for a chunk: its context, a line break and its text.
std::string embedded_text(const Chunk& chunk);

// Returns all lines of the page, furniture included, joined by '\n'.
std::string page_text(const Page& page);

}  // namespace fineprint
