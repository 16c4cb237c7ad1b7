// Implements crop.
#include "fineprint/image/crop.h"

#include <algorithm>
#include <cmath>

namespace fineprint::image {
namespace {

// The pixels [first, end) along one side.
struct Span {
  int first = 0, end = 0;
};

// Returns the pixels that the points from `low` to `high` touch, at least one. A pixel touched by
// less than a thousandth does not count, because boxes often end at pixel borders except for
// rounding.
Span touched(double low, double high, double pixels_a_point, int side) {
  constexpr double kTouch = 0.001;
  const auto first = static_cast<int>(std::floor(low * pixels_a_point + kTouch));
  const auto end = static_cast<int>(std::ceil(high * pixels_a_point - kTouch));
  const int inside = std::clamp(first, 0, side - 1);
  return {inside, std::clamp(end, inside + 1, side)};
}

Image cut(const Image& picture, Span x, Span y) {
  Image part{x.end - x.first, y.end - y.first, picture.channels, {}};
  part.pixels.resize(part.stride() * static_cast<std::size_t>(part.height));
  const auto left = static_cast<std::size_t>(x.first) * picture.channels;
  for (int row = 0; row < part.height; ++row) {
    std::copy_n(picture.row(y.first + row) + left, part.stride(), part.row(row));
  }
  return part;
}

}  // namespace

Image crop(const Image& page, const Box& part, double pixels_a_point) {
  return cut(page, touched(part.x0, part.x1, pixels_a_point, page.width),
             touched(part.y0, part.y1, pixels_a_point, page.height));
}

}  // namespace fineprint::image
