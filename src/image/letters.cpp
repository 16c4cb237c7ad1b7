// Finds lines of letters in pictures with OpenCV.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <opencv2/imgproc.hpp>

#include "fineprint/core/error.h"
#include "fineprint/image/clean.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

constexpr int kLeastContrast = 40;  // grey levels between letters and background

// Returns where grey values differ by more than kLeastContrast within three pixels. Letters have
// such edges whatever their colours are.
cv::Mat edges_of(const cv::Mat& grey) {
  const cv::Mat around = cv::getStructuringElement(cv::MORPH_RECT, {3, 3});
  cv::Mat gradient;
  cv::morphologyEx(grey, gradient, cv::MORPH_GRADIENT, around);
  return gradient > kLeastContrast;
}

// Returns how many strokes cross a row, that is, how often it turns from light to dark by a clear
// step.
int strokes_across(const std::uint8_t* row, int first, int end) {
  int strokes = 0, lightest = row[first], darkest = row[first];
  bool is_dark = false;
  for (int x = first; x < end; ++x) {
    lightest = std::max<int>(lightest, row[x]);
    darkest = std::min<int>(darkest, row[x]);
    if (!is_dark && row[x] < lightest - kLeastContrast) {
      is_dark = true;
      ++strokes;
      darkest = row[x];
    } else if (is_dark && row[x] > darkest + kLeastContrast) {
      is_dark = false;
      lightest = row[x];
    }
  }
  return strokes;
}

// Returns the largest number of strokes in the middle rows of a piece. Letters have many upright
// strokes, and all of them cross the middle.
int strokes_in(const cv::Mat& picture, const cv::Rect& piece) {
  int most = 0;
  for (int y = piece.y + piece.height / 3; y <= piece.y + piece.height * 2 / 3; ++y) {
    const int strokes =
        strokes_across(picture.ptr<std::uint8_t>(y), piece.x, piece.x + piece.width);
    most = std::max(most, strokes);
  }
  return most;
}

}  // namespace

Image cropped(const Image& image, int x0, int y0, int x1, int y1) {
  check_whole(image);
  x0 = std::clamp(x0, 0, image.width - 1);
  y0 = std::clamp(y0, 0, image.height - 1);
  x1 = std::clamp(x1, x0 + 1, image.width);
  y1 = std::clamp(y1, y0 + 1, image.height);
  Image out{.width = x1 - x0, .height = y1 - y0, .channels = image.channels, .pixels = {}};
  out.pixels.resize(out.stride() * static_cast<std::size_t>(out.height));
  const std::size_t left = static_cast<std::size_t>(x0) * static_cast<std::size_t>(image.channels);
  for (int y = 0; y < out.height; ++y) {
    std::memcpy(out.row(y), image.row(y0 + y) + left, out.stride());
  }
  return out;
}

int lines_of_letters(const Image& grey, double dpi) {
  check_whole(grey);
  if (grey.channels != 1) throw Error(ErrorCode::internal, "a grey image was expected");
  auto* pixels = const_cast<std::uint8_t*>(grey.pixels.data());  // only read
  const cv::Mat picture(grey.height, grey.width, CV_8UC1, pixels, grey.stride());
  const cv::Mat edges = edges_of(picture);
  // Joins the letters and words of a line. The reach is half the height of common print.
  const int reach = std::max(3, static_cast<int>(std::lround(dpi / 12)));
  cv::Mat joined;
  cv::morphologyEx(edges, joined, cv::MORPH_CLOSE,
                   cv::getStructuringElement(cv::MORPH_RECT, {reach, 1}));
  cv::Mat labels, facts, centres;
  const int pieces = cv::connectedComponentsWithStats(joined, labels, facts, centres, 8, CV_32S);
  const double lowest = 5 * dpi / 72, highest = 40 * dpi / 72;
  constexpr double kLeastShape = 3;      // least width, in heights
  constexpr double kLeastFilled = 0.45;  // least share of the piece's box
  int lines = 0;
  for (int i = 1; i < pieces; ++i) {  // 0 is the background
    const cv::Rect box(facts.at<int>(i, cv::CC_STAT_LEFT), facts.at<int>(i, cv::CC_STAT_TOP),
                       facts.at<int>(i, cv::CC_STAT_WIDTH), facts.at<int>(i, cv::CC_STAT_HEIGHT));
    if (box.height < lowest || box.height > highest || box.width < kLeastShape * box.height) {
      continue;
    }
    const double filled = static_cast<double>(facts.at<int>(i, cv::CC_STAT_AREA)) / box.area();
    if (filled < kLeastFilled) continue;
    // Strokes of letters are about half a height apart; half as many as expected are enough.
    if (strokes_in(picture, box) >= box.width / box.height) ++lines;
  }
  return lines;
}

}  // namespace fineprint::image
