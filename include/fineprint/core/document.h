// What is read from a document: pages of words with boxes, arranged into lines and elements, and
// the chunks of text that are searched. Plain values; every module passes these along.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/geometry.h"

namespace fineprint {

// Where the words of a page come from.
enum class TextSource : std::uint8_t { none = 0, native = 1, ocr = 2 };

// A run of characters without white space, as drawn.
struct Word {
  std::string text;      // UTF-8, never empty, no white space
  Box box;               // points
  float size_pt = 0;     // font size; for OCR the line's height
  float confidence = 1;  // 0..1, below 1 only for OCR
  bool bold = false;
  bool italic = false;
  bool operator==(const Word&) const = default;
};

// Words that are read as one line: a line of a column, or a whole row of a table.
struct Line {
  std::uint32_t first_word = 0;  // index into Page::words
  std::uint32_t word_count = 0;
  Box box;
  bool operator==(const Line&) const = default;
};

enum class ElementKind : std::uint8_t {
  heading = 0,
  paragraph = 1,
  list_item = 2,
  table = 3,
  figure = 4,
  caption = 5,    // a caption that stands alone; one that belongs to a table or figure is its field
  furniture = 6,  // running heads, feet and page numbers: kept, but not chunked
};

// A block of a page in reading order. Lines of a table are its rows. A figure may have no lines.
struct Element {
  ElementKind kind = ElementKind::paragraph;
  Box box;
  std::uint32_t first_line = 0;  // index into Page::lines
  std::uint32_t line_count = 0;
  std::int32_t parent = -1;  // index into Page::elements of the heading it stands under, or -1
  std::uint8_t level = 0;    // headings: 1 is the largest size of the page
  std::string caption;       // tables and figures; empty when none was found
  bool operator==(const Element&) const = default;
};

// One page. words, lines and elements are all in reading order; each word is in exactly one line
// and each line in exactly one element.
struct Page {
  int number = 0;      // from 1, physical order
  std::string label;   // the printed label ("iv", "A-3"); empty when the document has none
  float width_pt = 0;  // as displayed
  float height_pt = 0;
  int rotation = 0;  // degrees clockwise that the file asks for; already applied to all boxes
  TextSource source = TextSource::none;
  std::string language;  // ISO 639 code of most of its words; empty: not told
  std::string problem;   // why it lacks words, all or some of them; empty when all is well
  bool waits = false;    // OCR has yet to read it; not stored by page, see DocumentRow
  std::vector<Word> words;
  std::vector<Line> lines;
  std::vector<Element> elements;
};

// One entry of a document's outline (bookmarks), depth first.
struct OutlineEntry {
  int level = 1;  // 1 is the top
  std::string title;
  int page = 0;  // from 1; 0 when the entry leads nowhere in this document
};

// What is known of a document before its pages are read.
struct DocumentInfo {
  std::string format;  // "PDF 1.7", "PNG", ...
  std::string title;   // from metadata; often empty or useless
  int page_count = 0;
  bool reflowable = false;  // pages depend on our layout, not on the author's
  std::vector<OutlineEntry> outline;
};

// A run of words of one page, the unit of text search. Never crosses a page.
struct Chunk {
  int page = 0;  // from 1
  std::uint32_t first_word = 0;
  std::uint32_t word_count = 0;
  Box box;              // around its words
  std::string context;  // document title and headings it stands under, "A > B"; may be empty
  std::string text;     // its lines joined by '\n'
  bool operator==(const Chunk&) const = default;
};

// Appends a word to a text of words: behind a blank, unless one is Chinese or Japanese where they
// meet and the other is too, or is a number.
void append_word(std::string_view word, std::string* text);

// The line's words joined by single blanks.
std::string line_text(const Page& page, const Line& line);

// What encoders of texts are shown of a chunk.
std::string embedded_text(const Chunk& chunk);

// All lines, furniture included, joined by '\n'.
std::string page_text(const Page& page);

}  // namespace fineprint
