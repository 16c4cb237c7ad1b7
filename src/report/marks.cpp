// Draws the boxes of quotes as coloured pixels.
#include "fineprint/report/marks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fineprint::report {
namespace {

constexpr double kAirPt = 0.5;
constexpr double kFramePt = 0.75;

using Colour = std::array<std::uint8_t, 3>;
// The colours of page/page.css.
constexpr Colour kFill = {255, 226, 80};
constexpr Colour kFrame = {214, 96, 0};

// Multiplies like a highlighter pen: white takes the colour, black stays black.
void colour(std::uint8_t* pixel) {
  for (std::size_t c = 0; c < kFill.size(); ++c) {
    pixel[c] = static_cast<std::uint8_t>(pixel[c] * kFill[c] / 255);
  }
}

// The frame is drawn inside the box.
void draw_mark(const PixelBox& box, int frame, Image* picture) {
  for (int y = box.y0; y < box.y1; ++y) {
    for (int x = box.x0; x < box.x1; ++x) {
      std::uint8_t* pixel = picture->row(y) + std::size_t{3} * static_cast<std::size_t>(x);
      const int edge = std::min({x - box.x0, box.x1 - 1 - x, y - box.y0, box.y1 - 1 - y});
      if (edge < frame) {
        std::ranges::copy(kFrame, pixel);
      } else {
        colour(pixel);
      }
    }
  }
}

}  // namespace

PixelBox pixels_of(const Box& box, double pixels_a_point, const Image& picture) {
  const auto pixel = [&](double points, int most) {
    return std::clamp(static_cast<int>(std::lround(points * pixels_a_point)), 0, most);
  };
  if (box.empty()) return {};
  return {pixel(box.x0 - kAirPt, picture.width), pixel(box.y0 - kAirPt, picture.height),
          pixel(box.x1 + kAirPt, picture.width), pixel(box.y1 + kAirPt, picture.height)};
}

void draw_marks(const std::vector<Box>& boxes, double pixels_a_point, Image* picture) {
  // At least one pixel, or the frame would vanish at low resolutions.
  const int frame = std::max(1, static_cast<int>(std::lround(kFramePt * pixels_a_point)));
  for (const Box& box : boxes) draw_mark(pixels_of(box, pixels_a_point, *picture), frame, picture);
}

}  // namespace fineprint::report
