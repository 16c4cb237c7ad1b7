// Finds quotes on a page and marks them in its picture.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/geometry.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/image.h"
#include "fineprint/session/corpus.h"

namespace fineprint::report {

// Pixels [x0, x1) x [y0, y1) of a picture. The box is empty if x0 = x1 or y0 = y1.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const PixelBox&) const = default;
};

// Returns the pixels that a box in points covers, enlarged by half a point on each side and clipped
// to the picture. Returns an empty box if nothing is left. `pixels_a_point` is the scale, for
// example 110.0 / 72 for a picture at 110 dpi.
PixelBox pixels_of(const Box& box, double pixels_a_point, const Image& picture);

// Colours the light pixels in the boxes and frames them, like a highlighter pen. Letters stay as
// dark as they are. The picture must be RGB.
void draw_marks(const std::vector<Box>& boxes, double pixels_a_point, Image* picture);

// Where a quote is on its page.
struct Mark {
  std::string quote;
  std::vector<Box> boxes;  // in points; one for each line
  double similarity = 1;   // 0..1; see text::find_quote
};

// Returns the marks of the quotes, in their order, found in the same way as citations. Throws
// Error(input) if a quote is not on the page. The message names the page of the same document that
// has the quote, or the words of the page that are nearest to it.
std::vector<Mark> find_marks(const session::Corpus& corpus, PageId dense_page,
                             const std::vector<std::string>& quotes);

}  // namespace fineprint::report
