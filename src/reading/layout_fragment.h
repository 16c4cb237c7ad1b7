// The pieces that layout moves around: runs of words that surely belong together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// Wider than a blank of justified text, narrower than the gap between two cells or columns.
inline constexpr float kCellGap = 1.0F;  // of the font size

// Neighbouring words of one line as the file has them, cut at wide gaps. A figure is also moved
// around as one fragment, without words of its own.
struct Fragment {
  std::vector<std::uint32_t> words;  // indices into RawPage::words
  Box box;
  float size_pt = 0;        // of most of its characters
  std::uint32_t order = 0;  // its place in the file, which is often the reading order
  std::uint32_t characters = 0;
  bool bold = false;         // most of its characters are
  bool numeric = false;      // a cell of a table of numbers: "1,234", "$", "(5.2)%", "n/a"
  bool vertical = false;     // turned by 90 degrees against the page
  std::int32_t figure = -1;  // which figure it stands for

  float middle_x() const { return (box.x0 + box.x1) / 2; }
  float middle_y() const { return (box.y0 + box.y1) / 2; }
};

// All words of `page` in fragments, in the order of the file. `mirrored`: the page is as in a
// mirror, see layout_direction.h.
std::vector<Fragment> make_fragments(const pdf::RawPage& page, bool mirrored = false);

// The words joined by blanks.
std::string text_of(const pdf::RawPage& page, const std::vector<std::uint32_t>& words);

// Whether a cell holds a number, a sign that goes with one, or a stand-in for one.
bool is_numeric_cell(std::string_view text);

// The font size of most characters of the page, in steps of half a point; 0 without words.
float body_size(const std::vector<Fragment>& fragments);

// Which way the page's text runs: 0 upright; 90 when it was turned clockwise, so that it reads
// from top to bottom; 270 when it reads from bottom to top.
int text_direction(const pdf::RawPage& page, const std::vector<Fragment>& fragments);
// The page turned so that text of `direction` becomes upright, and a box turned back from there.
pdf::RawPage upright(const pdf::RawPage& page, int direction);
Box turned_from_upright(const Box& box, const pdf::RawPage& original, int direction);

}  // namespace fineprint::reading
