// A document as another program has read it: elements with texts, and with boxes if the program
// gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/markup/html_table.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// A text and its box in points from the top left of the page; nullopt if the program gives none.
struct ParsedText {
  std::string text;
  std::optional<Box> box;
};

// One element, without its place among the others.
struct ParsedElement {
  ElementKind kind = ElementKind::paragraph;
  int level = 0;  // of headings; 1 is the highest
  std::optional<Box> box;
  std::vector<ParsedText> texts;     // paragraphs or lines, in reading order
  std::vector<ParsedText> captions;  // of tables and figures
  // Cells of a table. `cell_boxes` has one entry for each cell, or is empty.
  std::vector<markup::TableCell> cells;
  std::vector<std::optional<Box>> cell_boxes;
};

struct ParsedPage {
  int number = 0;                         // from 1
  float width_pt = 595, height_pt = 842;  // A4, if the program gives no size
  std::vector<ParsedElement> elements;    // in reading order
};

struct ParsedDocument {
  std::string format;             // "docling 1.8.0", "MinerU"
  std::string title;              // often empty
  bool reflowable = false;        // the program gives no pages; they are made here
  std::vector<ParsedPage> pages;  // sorted by number; some may be missing
  // Returns a page, or null if the program has not read it.
  const ParsedPage* page(int number) const;
};

// Reads the file at `path`. Throws Error naming it: `damaged` if such a program cannot have written
// it, unreadable, empty or too_large.
ParsedDocument read_parsed(const std::string& path);

// Readers of the known formats. `name` is used in messages.
ParsedDocument read_docling(const std::string& json, const std::string& name);
ParsedDocument read_mineru_pages(const std::string& json, const std::string& name);
ParsedDocument read_mineru_list(const std::string& json, const std::string& name);

// Returns the page with words, lines and elements. An element without a box is placed below the one
// before it, and words are spread over the box of their text. If `raw`, the same page of the PDF,
// is given, boxes are scaled to its size, and words that it has at the same place take their boxes
// and fonts from it.
Page arrange(const ParsedPage& parsed, const pdf::RawPage* raw);

}  // namespace fineprint::reading
