// Fragments are the pieces that layout arranges: runs of words that certainly belong together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// Wider than a blank in justified text, and narrower than the gap between two cells or columns.
inline constexpr float kCellGap = 1.0F;  // of the font size

// Neighbouring words of one line of the file, cut at wide gaps. A figure is arranged as a fragment,
// too, but has no words.
struct Fragment {
  std::vector<std::uint32_t> words;  // indices into RawPage::words
  Box box;
  float size_pt = 0;        // font size of most of its characters
  std::uint32_t order = 0;  // position in the file, which is often the reading order
  std::uint32_t characters = 0;
  bool bold = false;      // most of its characters are bold
  bool numeric = false;   // looks like a cell of a table of numbers: "1,234", "$", "(5.2)%", "n/a"
  bool vertical = false;  // turned by 90 degrees against the page
  bool ends_with_colon = false;
  std::int32_t figure = -1;  // index of the figure that it represents; -1 for text

  float middle_x() const { return (box.x0 + box.x1) / 2; }
  float middle_y() const { return (box.y0 + box.y1) / 2; }
};

// Returns whether a word is turned: the box of a longer word is then much higher than wide.
bool is_vertical(const Word& word);

// Returns all words of `page` in fragments, in the order of the file. `mirrored` says that the page
// is in a mirror, see layout_direction.h.
std::vector<Fragment> make_fragments(const pdf::RawPage& page, bool mirrored = false);

// Returns the words joined by blanks.
std::string text_of(const pdf::RawPage& page, const std::vector<std::uint32_t>& words);

// Returns whether a cell holds a number, a sign that goes with a number, or a substitute for one
// ("n/a").
bool is_numeric_cell(std::string_view text);

// Returns the font size of most characters of the page, in steps of half a point, or 0 if it has no
// words.
float body_size(const std::vector<Fragment>& fragments);

// Returns the direction of the page's text: 0 if it is upright, 90 if it reads from top to bottom
// (turned clockwise), and 270 if it reads from bottom to top.
int text_direction(const pdf::RawPage& page, const std::vector<Fragment>& fragments);
// Return the page turned so that text of `direction` is upright, and a box turned back from there.
pdf::RawPage upright(const pdf::RawPage& page, int direction);
Box turned_from_upright(const Box& box, const pdf::RawPage& original, int direction);

}  // namespace fineprint::reading
