// Compares the lines of a page by their boxes.
#include "text/label_page.h"

#include <cmath>

namespace fineprint::text {

namespace {

// In font sizes.
constexpr float kAligned = 1.5F;  // ends of the cells of one column differ by at most this
constexpr float kCentred = 0.6F;  // the same of their middles

float white_between(const Box& above, const Box& below) { return below.y0 - above.y1; }

}  // namespace

bool is_aligned(const Box& a, const Box& b, float size) {
  const float off_centre = std::abs((a.x0 + a.x1) - (b.x0 + b.x1)) / 2;
  return std::abs(a.x0 - b.x0) <= kAligned * size || std::abs(a.x1 - b.x1) <= kAligned * size ||
         off_centre <= kCentred * size;
}

const LabelPiece* LabelPage::single(std::size_t at) const {
  if (at >= lines_.size() || lines_[at].is_two_lines || lines_[at].pieces.size() != 1) {
    return nullptr;
  }
  return &lines_[at].pieces.front();
}

bool LabelPage::is_close_below(std::size_t above, std::size_t below, float most) const {
  if (below >= lines_.size()) return false;
  const float size = size_of_line(above);
  const float gap = white_between(lines_[above].box, lines_[below].box);
  return gap <= most * size && gap > -0.5F * size;
}

float LabelPage::size_of_line(std::size_t at) const {
  return lines_[at].pieces.empty() ? 1 : lines_[at].pieces.front().size_pt;
}

bool LabelPage::is_label(const LabelPiece& piece) const {
  return is_label_like(page_, piece) && (piece.colons == 0 || piece.colon_end == piece.words.end);
}

bool LabelPage::continues_value(const LabelPiece& value, const LabelPiece& piece, std::size_t above,
                                std::size_t line) const {
  return above + 1 == line && value.words.end == piece.words.first &&
         is_close_below(above, line, kWrapGap) &&
         std::abs(piece.box.x0 - value.box.x0) <= value.size_pt && !look_different(piece, value) &&
         piece.colons == 0;
}

}  // namespace fineprint::text
