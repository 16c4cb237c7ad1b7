// Builds pages out of plain lines for tests.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text::testing {

// Appends an element to a page; each line of `lines` becomes a line, each word 10 points wide.
inline void add_element(Page* page, ElementKind kind, const std::vector<std::string>& lines,
                        float size_pt = 10, int level = 0, std::int32_t parent = -1) {
  Element element;
  element.kind = kind;
  element.first_line = static_cast<std::uint32_t>(page->lines.size());
  element.line_count = static_cast<std::uint32_t>(lines.size());
  element.level = static_cast<std::uint8_t>(level);
  element.parent = parent;
  for (const std::string& text : lines) {
    Line line;
    line.first_word = static_cast<std::uint32_t>(page->words.size());
    std::istringstream words(text);
    float x = 0;
    const float y = 12 * static_cast<float>(page->lines.size());
    for (std::string word; words >> word; x += 12) {
      Word made;
      made.text = word;
      made.box = {x, y, x + 10, y + 10};
      made.size_pt = size_pt;
      line.box = united(line.box, made.box);
      page->words.push_back(made);
      ++line.word_count;
    }
    element.box = united(element.box, line.box);
    page->lines.push_back(line);
  }
  page->elements.push_back(element);
}

}  // namespace fineprint::text::testing
