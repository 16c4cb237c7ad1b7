// Rectangles on a page.
#pragma once

#include <algorithm>

namespace fineprint {

// A rectangle in PDF points (1/72 inch) of the page as a person sees it (rotation applied, crop
// box respected), origin at the top left, y downwards. Empty unless x0 < x1 and y0 < y1.
struct Box {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  float area() const { return empty() ? 0 : width() * height(); }
  bool empty() const { return !(x0 < x1 && y0 < y1); }
  bool operator==(const Box&) const = default;
};

// The smallest box around both; an empty box adds nothing.
inline Box united(const Box& a, const Box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// What both cover; empty when they do not meet.
inline Box intersected(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

}  // namespace fineprint
