// The lines of a page as labels and values see them: which are near, aligned, or go on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

#include "text/label_lines.h"

namespace fineprint::text {

constexpr float kWrapGap = 0.8F;  // white between two lines of one value, in font sizes
constexpr std::size_t kMostValueWords = 25;
constexpr std::size_t kMostStackedWords = 12;  // of a value next to or below a lone label
constexpr std::size_t kMostWraps = 3;          // further lines of a value

class LabelPage {
 public:
  explicit LabelPage(const Page& page) : page_(page), lines_(label_lines(page)) {}

  const Page& page() const { return page_; }
  const std::vector<LabelLine>& lines() const { return lines_; }
  const std::string& word(std::uint32_t index) const { return page_.words[index].text; }

  // Returns the line if it is one piece, or nullptr.
  const LabelPiece* single(std::size_t at) const;

  // Returns whether a line is right below another, in reading order and on the page. `most` is the
  // white between them in font sizes.
  bool is_close_below(std::size_t above, std::size_t below, float most) const;

  // Returns whether the piece is all label: "Skipper", "Skipper:", but not "Skipper: Ines".
  bool is_label(const LabelPiece& piece) const;

  // Returns whether the value in line `above` goes on with the piece in `line`.
  bool continues_value(const LabelPiece& value, const LabelPiece& piece, std::size_t above,
                       std::size_t line) const;

 private:
  float size_of_line(std::size_t at) const;

  const Page& page_;
  const std::vector<LabelLine> lines_;
};

// Returns whether two boxes share an edge or their middle, as the cells of one column do. `size` is
// that of the font in points.
bool is_aligned(const Box& a, const Box& b, float size);

}  // namespace fineprint::text
