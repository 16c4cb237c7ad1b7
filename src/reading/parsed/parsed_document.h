// What another program has read of a document: elements with texts, and boxes as far as it tells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/markup/html_table.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// A text and where it stands, in points from the page's top left; nullopt: not told.
struct ParsedText {
  std::string text;
  std::optional<Box> box;
};

struct ParsedElement {
  ElementKind kind = ElementKind::paragraph;
  int level = 0;  // of headings; 1 is the highest
  std::optional<Box> box;
  std::vector<ParsedText> texts;     // paragraphs or lines, in reading order
  std::vector<ParsedText> captions;  // of tables and figures
  // Of tables; `cell_boxes` has one for each, or is empty.
  std::vector<markup::TableCell> cells;
  std::vector<std::optional<Box>> cell_boxes;
};

struct ParsedPage {
  int number = 0;                         // from 1
  float width_pt = 595, height_pt = 842;  // A4, where it is not told
  std::vector<ParsedElement> elements;    // in reading order
};

struct ParsedDocument {
  std::string format;             // "docling 1.8.0", "MinerU"
  std::string title;              // often empty
  bool reflowable = false;        // it tells of no pages: these are ours
  std::vector<ParsedPage> pages;  // by number; some may be missing
  const ParsedPage* page(int number) const;
};

// Reads the file at `path`. Throws Error(damaged) naming it for what such a program cannot have
// written, Error(unreadable), Error(too_large).
ParsedDocument read_parsed(const std::string& path);

// The forms that there are; `name` stands in messages.
ParsedDocument read_docling(const std::string& json, const std::string& name);
ParsedDocument read_mineru_pages(const std::string& json, const std::string& name);
ParsedDocument read_mineru_list(const std::string& json, const std::string& name);

// The page with words, lines and elements. What is told without a box is put below what comes
// before it, and words are spread over the box of their text. With `raw`, the same page of the PDF,
// boxes are brought to its size, and words that stand there too take their boxes and letters from
// it.
Page arrange(const ParsedPage& parsed, const pdf::RawPage* raw);

}  // namespace fineprint::reading
