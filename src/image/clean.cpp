// Computes sizes, tilt and ink of page pictures with OpenCV.
#include "fineprint/image/clean.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <opencv2/imgproc.hpp>

#include "fineprint/core/error.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

constexpr int kInkContrast = 48;  // grey levels from the background
constexpr double kMaxSkew = 5;    // degrees
constexpr int kSkewSide = 1200;   // pixels of the longer side; enough to measure the tilt

// Returns the picture as OpenCV's type without a copy. It must only be read, unless the caller owns
// the picture.
cv::Mat view(const Image& image) {
  check_whole(image);
  auto* pixels = const_cast<std::uint8_t*>(image.pixels.data());
  return {image.height, image.width, CV_8UC(image.channels), pixels, image.stride()};
}

Image blank(int width, int height, int channels) {
  Image image{.width = width, .height = height, .channels = channels, .pixels = {}};
  image.pixels.resize(image.stride() * static_cast<std::size_t>(height));
  return image;
}

cv::Mat view_of_grey(const Image& grey) {
  if (grey.channels != 1) throw Error(ErrorCode::internal, "a grey image was expected");
  return view(grey);
}

// Returns the most frequent grey value, counting its neighbours with it. That is the paper, or the
// background of a dark slide.
int background_of(const cv::Mat& grey) {
  std::array<long, 256> histogram{};
  for (int y = 0; y < grey.rows; ++y) {
    const auto* row = grey.ptr<std::uint8_t>(y);
    for (int x = 0; x < grey.cols; ++x) ++histogram[row[x]];
  }
  int best = 0;
  long best_count = -1;
  for (int value = 0; value < 256; ++value) {
    long count = 0;
    // Scanned paper is never of a single grey value, so 4 levels on both sides count.
    for (int near = std::max(0, value - 4); near <= std::min(255, value + 4); ++near) {
      count += histogram[static_cast<std::size_t>(near)];
    }
    if (count > best_count) {
      best = value;
      best_count = count;
    }
  }
  return best;
}

// Returns a mask of the pixels that are not background.
cv::Mat ink_of(const cv::Mat& grey) {
  cv::Mat distance;
  cv::absdiff(grey, cv::Scalar(background_of(grey)), distance);
  return distance > kInkContrast;
}

// Returns the points where ink ends and background begins below. Most of them are on baselines.
// Edges longer than `longest` pixels do not belong to letters and are left out.
std::vector<cv::Point> lower_edges(const cv::Mat& ink, std::size_t longest) {
  std::vector<cv::Point> edges;
  for (int y = 0; y + 1 < ink.rows; ++y) {
    const auto* row = ink.ptr<std::uint8_t>(y);
    const auto* below = ink.ptr<std::uint8_t>(y + 1);
    std::size_t run = 0;
    for (int x = 0; x <= ink.cols; ++x) {
      if (x < ink.cols && row[x] != 0 && below[x] == 0) {
        edges.emplace_back(x, y);
        ++run;
        continue;
      }
      if (run > longest) edges.resize(edges.size() - run);
      run = 0;
    }
  }
  return edges;
}

// Returns how sharply the edges gather into rows if the page is turned back by `degrees`: the sum
// of squares of the row counts. It is largest if complete baselines fall into single rows.
double sharpness(const std::vector<cv::Point>& edges, const cv::Size& size, double degrees) {
  const double slope = std::tan(degrees * std::numbers::pi / 180);
  const int margin = static_cast<int>(std::abs(slope) * size.width) + 2;
  std::vector<int> rows(static_cast<std::size_t>(size.height + 2 * margin));
  for (const cv::Point& point : edges) {
    const double y = point.y + slope * (point.x - size.width / 2.0);
    ++rows[static_cast<std::size_t>(std::lround(y) + margin)];
  }
  double sum = 0;
  for (int count : rows) sum += static_cast<double>(count) * count;
  return sum;
}

// The best angle of a search.
struct Tilt {
  double degrees = 0;
  double score = 0;
  double gain = 0;  // score divided by the mean of all angles; a photo has no best angle
};
// Below this, the best angle is chance.
constexpr double kMinGain = 1.15;

Tilt sharpest(const std::vector<cv::Point>& edges, const cv::Size& size, double from, double to,
              double step) {
  Tilt best;
  double sum = 0;
  int angles = 0;
  for (double degrees = from; degrees <= to + step / 2; degrees += step, ++angles) {
    const double score = sharpness(edges, size, degrees);
    sum += score;
    if (score > best.score) best = {degrees, score, 0};
  }
  if (sum > 0) best.gain = best.score * angles / sum;
  return best;
}

// Returns the coarse tilt of a picture's lines. The gain is 0 if there is too little ink to
// measure.
Tilt tilt_of(const std::vector<cv::Point>& edges, const cv::Size& size, double step) {
  constexpr std::size_t kMinEdges = 500;
  if (edges.size() < kMinEdges) return {};
  return sharpest(edges, size, -kMaxSkew, kMaxSkew, step);
}

// Shrinks the page, because the search takes time with every edge point.
cv::Mat shrunk_for_skew(const Image& grey) {
  cv::Mat small = view_of_grey(grey);
  const double shrink = static_cast<double>(kSkewSide) / std::max(grey.width, grey.height);
  if (shrink < 1) cv::resize(small, small, {}, shrink, shrink, cv::INTER_AREA);
  return small;
}

}  // namespace

Image resize(const Image& image, int width, int height) {
  if (width <= 0 || height <= 0)
    throw Error(ErrorCode::internal, "a size without pixels was asked for");
  Image result = blank(width, height, image.channels);
  cv::Mat target = view(result);
  const bool shrinks = width <= image.width && height <= image.height;
  cv::resize(view(image), target, target.size(), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_CUBIC);
  return result;
}

double skew_degrees(const Image& grey) {
  const cv::Mat small = shrunk_for_skew(grey);
  const std::vector<cv::Point> edges = lower_edges(ink_of(small), kSkewSide);
  // First in steps of a quarter of a degree over the whole range, then finely around the best.
  const Tilt coarse = tilt_of(edges, small.size(), 0.25);
  if (coarse.gain < kMinGain) return 0;
  const Tilt fine = sharpest(edges, small.size(), std::max(-kMaxSkew, coarse.degrees - 0.25),
                             std::min(kMaxSkew, coarse.degrees + 0.25), 0.05);
  return fine.degrees;
}

bool is_sideways(const Image& grey) {
  constexpr double kClearly = 1.1;
  // pixels; longer edges are rules and frames and say nothing about letters
  constexpr std::size_t kLetter = 40;
  const cv::Mat ink = ink_of(shrunk_for_skew(grey));
  cv::Mat turned;
  cv::transpose(ink, turned);
  const Tilt across = tilt_of(lower_edges(ink, kLetter), ink.size(), 0.5);
  const Tilt along = tilt_of(lower_edges(turned, kLetter), turned.size(), 0.5);
  return along.gain >= kMinGain && along.gain > kClearly * across.gain;
}

Image quarter_turned(const Image& grey, int quarters) {
  const int turns = ((quarters % 4) + 4) % 4;
  if (turns == 0) return grey;
  constexpr std::array<int, 3> kTurns = {cv::ROTATE_90_COUNTERCLOCKWISE, cv::ROTATE_180,
                                         cv::ROTATE_90_CLOCKWISE};
  const bool lies = turns != 2;
  Image result = blank(lies ? grey.height : grey.width, lies ? grey.width : grey.height, 1);
  cv::Mat target = view(result);
  cv::rotate(view_of_grey(grey), target, kTurns[static_cast<std::size_t>(turns - 1)]);
  return result;
}

Image rotate(const Image& grey, double degrees) {
  const cv::Mat source = view_of_grey(grey);
  Image result = blank(grey.width, grey.height, 1);
  cv::Mat target = view(result);
  const cv::Point2f centre(static_cast<float>(grey.width - 1) / 2,
                           static_cast<float>(grey.height - 1) / 2);
  cv::warpAffine(source, target, cv::getRotationMatrix2D(centre, degrees, 1), target.size(),
                 cv::INTER_CUBIC, cv::BORDER_CONSTANT, cv::Scalar(255));
  return result;
}

double ink_share(const Image& grey) {
  // Polarity does not matter, so that white text on a dark slide counts as ink.
  const cv::Mat source = view_of_grey(grey);
  const double pixels = static_cast<double>(source.rows) * source.cols;
  return cv::countNonZero(ink_of(source)) / pixels;
}

}  // namespace fineprint::image
