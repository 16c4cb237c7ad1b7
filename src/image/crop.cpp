// Cuts parts out of pictures.
#include "fineprint/image/crop.h"

#include <algorithm>
#include <cmath>

namespace fineprint::image {
namespace {

// Pixels [first, end) of one side.
struct Span {
  int first = 0, end = 0;
};

// All pixels that the points from `low` to `high` touch, at least one. What is touched by less than
// a thousandth does not count: boxes often end where pixels do, but for rounding.
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
