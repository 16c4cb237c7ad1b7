// Pages that a test types by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::testing {

// Appends an element set as by a typewriter: the character at column c of a line begins at 6 c
// points, so that figures under each other in `lines` are under each other on the page.
inline void type_element(Page* page, ElementKind kind, const std::vector<std::string>& lines,
                         std::int32_t parent = -1, const std::string& caption = "") {
  Element element;
  element.kind = kind;
  element.first_line = static_cast<std::uint32_t>(page->lines.size());
  element.line_count = static_cast<std::uint32_t>(lines.size());
  element.parent = parent;
  element.caption = caption;
  for (const std::string& text : lines) {
    Line line{static_cast<std::uint32_t>(page->words.size()), 0, {}};
    const float y = 12 * static_cast<float>(page->lines.size());
    for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      Word word;
      word.text = text.substr(at, end - at);
      word.box = {6 * static_cast<float>(at), y, 6 * static_cast<float>(end), y + 10};
      line.box = united(line.box, word.box);
      page->words.push_back(word);
      ++line.word_count;
      at = text.find_first_not_of(' ', end);
    }
    element.box = united(element.box, line.box);
    page->lines.push_back(line);
  }
  page->elements.push_back(element);
}

inline Page typed_page(const std::vector<std::string>& lines, const std::string& language = {}) {
  Page page;
  page.language = language;
  if (!lines.empty()) type_element(&page, ElementKind::paragraph, lines);
  return page;
}

}  // namespace fineprint::testing
