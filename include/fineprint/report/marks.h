// Quotes marked on the picture of a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/geometry.h"
#include "fineprint/core/image.h"
#include "fineprint/session/corpus.h"

namespace fineprint::report {

// Pixels [x0, x1) x [y0, y1) of a picture.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const PixelBox&) const = default;
};

// The pixels that a box in points covers, with half a point of air around it, as far as the picture
// reaches; x0 = x1 or y0 = y1 where that is nothing.
PixelBox pixels_of(const Box& box, double pixels_a_point, const Image& picture);

// Colours what is light in the boxes and frames them; letters stay as dark as they are. The picture
// is RGB.
void draw_marks(const std::vector<Box>& boxes, double pixels_a_point, Image* picture);

// Where a quote stands.
struct Mark {
  std::string quote;
  std::vector<Box> boxes;  // one a line
  double similarity = 1;   // see text::find_quote
};

// Finds quotes on a page as citations are found. Throws Error(input) for one that does not stand
// there, naming the page of the same document where it does, or else the words of the page that are
// nearest to it.
std::vector<Mark> find_marks(const session::Corpus& corpus, std::uint32_t dense_page,
                             const std::vector<std::string>& quotes);

}  // namespace fineprint::report
