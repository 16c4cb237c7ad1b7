// Builds pages by hand, as MuPDF would find them: words with boxes on lines.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading::testing {

class RawPageBuilder {
 public:
  RawPageBuilder(float width = 612, float height = 792) {
    page_.number = 1;
    page_.width_pt = width;
    page_.height_pt = height;
  }

  // A line of text from `x` with its baseline's upper edge at `y`; half a size a character.
  RawPageBuilder& text(float x, float y, const std::string& words, float size = 10,
                       bool bold = false) {
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
      const float width = 0.5F * size * static_cast<float>(word.size());
      add({word, {x, y, x + width, y + size}, size, 1, bold, false});
      x += width + 0.25F * size;
    }
    ++line_;
    return *this;
  }

  // The same ending at `x`, as numbers of a table do.
  RawPageBuilder& right(float x, float y, const std::string& words, float size = 10) {
    float width = -0.25F * size;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
      width += 0.5F * size * static_cast<float>(word.size()) + 0.25F * size;
    }
    return text(x - width, y, words, size);
  }

  // A line that reads from bottom to top, starting at (x, y).
  RawPageBuilder& upwards(float x, float y, const std::string& words, float size = 10) {
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
      const float length = 0.5F * size * static_cast<float>(word.size());
      add({word, {x, y - length, x + size, y}, size, 1, false, false});
      y -= length + 0.25F * size;
    }
    ++line_;
    return *this;
  }

  RawPageBuilder& rule(float x0, float y, float x1) {
    page_.rules.push_back({x0, y, x1, y + 0.5F});
    return *this;
  }
  RawPageBuilder& rule_down(float x, float y0, float y1) {
    page_.rules.push_back({x, y0, x + 0.5F, y1});
    return *this;
  }
  RawPageBuilder& image(const Box& box) {
    page_.images.push_back(box);
    return *this;
  }
  RawPageBuilder& drawing(const Box& box) {
    page_.drawings.push_back(box);
    return *this;
  }
  RawPageBuilder& end_block() {
    ++block_;
    return *this;
  }

  const pdf::RawPage& page() const { return page_; }

 private:
  void add(Word word) {
    page_.characters += word.text.size();
    page_.words.push_back(std::move(word));
    page_.line_of_word.push_back(line_);
    page_.block_of_word.push_back(block_);
  }

  pdf::RawPage page_;
  std::uint32_t line_ = 0;
  std::uint32_t block_ = 0;
};

inline std::vector<std::string> lines_of(const Page& page) {
  std::vector<std::string> lines;
  for (const Line& line : page.lines) lines.push_back(line_text(page, line));
  return lines;
}

inline std::vector<std::string> lines_of(const Page& page, const Element& element) {
  std::vector<std::string> lines;
  for (std::uint32_t i = 0; i < element.line_count; ++i) {
    lines.push_back(line_text(page, page.lines[element.first_line + i]));
  }
  return lines;
}

inline std::vector<const Element*> elements_of(const Page& page, ElementKind kind) {
  std::vector<const Element*> found;
  for (const Element& element : page.elements) {
    if (element.kind == kind) found.push_back(&element);
  }
  return found;
}

}  // namespace fineprint::reading::testing
