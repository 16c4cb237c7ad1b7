// Rectangles on a page.
#pragma once

#include <algorithm>

namespace fineprint {

// A rectangle in PDF points (1/72 inch) on the page as a person sees it: rotation applied, crop box
// respected, origin at the top left, y downwards. For example, a US Letter page is {0, 0, 612,
// 792}. The box is empty unless x0 < x1 and y0 < y1.
struct Box {
  // Left, top, right and bottom.
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  // Negative if the sides are swapped; only `area` returns 0 for an empty box.
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  float area() const { return empty() ? 0 : width() * height(); }
  bool empty() const { return !(x0 < x1 && y0 < y1); }
  bool operator==(const Box&) const = default;
};

// Returns the smallest box around both. An empty box adds nothing.
inline Box united(const Box& a, const Box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// Returns the area that both cover; an empty box if they do not overlap.
inline Box intersected(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

}  // namespace fineprint
