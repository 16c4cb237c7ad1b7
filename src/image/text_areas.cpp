// Works on the maps of text detection with OpenCV.
#include "fineprint/image/text_areas.h"

#include <algorithm>
#include <cmath>

#include <opencv2/imgproc.hpp>

#include "fineprint/core/error.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

constexpr float kLeastSide = 3;    // pixels of an area; less is noise
constexpr float kSameLine = 10;    // pixels between the upper corners of areas in one line
constexpr float kRunsDown = 1.5F;  // height of a line that runs down the page, in its widths

cv::Mat grey_view(const Image& grey) {
  check_whole(grey);
  if (grey.channels != 1) throw Error(ErrorCode::internal, "a grey image was expected");
  return {grey.height, grey.width, CV_8UC1, const_cast<std::uint8_t*>(grey.pixels.data()),
          grey.stride()};
}

Image grey_of_size(int width, int height) {
  if (width <= 0 || height <= 0) {
    throw Error(ErrorCode::internal, "a picture without pixels was asked for");
  }
  Image image{.width = width, .height = height, .channels = 1, .pixels = {}};
  image.pixels.resize(image.stride() * static_cast<std::size_t>(height));
  return image;
}

float distance(const Spot& a, const Spot& b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Orders the corners of a rectangle clockwise, from the upper left one on: of the two corners at
// the left, the upper one comes first.
Tilted ordered(const cv::RotatedRect& rect) {
  std::array<cv::Point2f, 4> corners;
  rect.points(corners.data());
  std::sort(corners.begin(), corners.end(),
            [](const auto& a, const auto& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  if (corners[0].y > corners[1].y) std::swap(corners[0], corners[1]);
  if (corners[2].y > corners[3].y) std::swap(corners[2], corners[3]);
  const auto spot = [](const cv::Point2f& point) { return Spot{point.x, point.y}; };
  return {spot(corners[0]), spot(corners[2]), spot(corners[3]), spot(corners[1])};
}

// Returns the mean of the map within an area.
double mean_in(const cv::Mat& map, const Tilted& area) {
  std::vector<cv::Point> outline;
  for (const Spot& corner : area) {
    outline.emplace_back(static_cast<int>(corner.x), static_cast<int>(corner.y));
  }
  const cv::Rect around = cv::boundingRect(outline) & cv::Rect(0, 0, map.cols, map.rows);
  if (around.empty()) return 0;
  cv::Mat mask = cv::Mat::zeros(around.size(), CV_8UC1);
  cv::fillPoly(mask, std::vector<std::vector<cv::Point>>{outline}, cv::Scalar(1), cv::LINE_8, 0,
               -around.tl());
  return cv::mean(map(around), mask)[0];
}

// Grows a rectangle on every side, by whole pixels as the library does with which the networks'
// thresholds were chosen.
cv::RotatedRect grown(const cv::RotatedRect& rect, float growth) {
  const Tilted area = ordered(rect);
  const float around = 2 * (rect.size.width + rect.size.height);
  const float by = around > 0 ? rect.size.area() * growth / around : 0;
  std::vector<cv::Point> outline;
  for (std::size_t i = 0; i < area.size(); ++i) {
    const Spot from = area[i], to = area[(i + 1) % area.size()];
    const float length = std::max(distance(from, to), 1.0F);
    const Spot out = {(to.y - from.y) / length * by, (from.x - to.x) / length * by};
    for (const Spot& end : {from, to}) {
      outline.emplace_back(static_cast<int>(std::lround(std::trunc(end.x) + out.x)),
                           static_cast<int>(std::lround(std::trunc(end.y) + out.y)));
    }
  }
  return cv::minAreaRect(outline);
}

Tilted scaled(const Tilted& area, float x, float y, int width, int height) {
  Tilted out;
  for (std::size_t i = 0; i < area.size(); ++i) {
    out[i] = {std::clamp(std::round(area[i].x * x), 0.0F, static_cast<float>(width - 1)),
              std::clamp(std::round(area[i].y * y), 0.0F, static_cast<float>(height - 1))};
  }
  return out;
}

// Areas follow each other in a line as long as each begins at nearly the height of the one before.
void sort_by_lines(std::vector<Tilted>& areas) {
  std::stable_sort(areas.begin(), areas.end(),
                   [](const Tilted& a, const Tilted& b) { return a[0].y < b[0].y; });
  for (auto first = areas.begin(); first != areas.end();) {
    auto last = first + 1;
    while (last != areas.end() && (*last)[0].y - (*(last - 1))[0].y < kSameLine) ++last;
    std::stable_sort(first, last, [](const Tilted& a, const Tilted& b) { return a[0].x < b[0].x; });
    first = last;
  }
}

// The size of an area in whole pixels.
cv::Size size_of(const Tilted& area) {
  const float width = std::max(distance(area[0], area[1]), distance(area[2], area[3]));
  const float height = std::max(distance(area[0], area[3]), distance(area[1], area[2]));
  return {std::max(1, static_cast<int>(width)), std::max(1, static_cast<int>(height))};
}

}  // namespace

std::vector<Tilted> text_areas(std::span<const float> map, int width, int height, int picture_width,
                               int picture_height, const TextAreaOptions& options) {
  if (width <= 0 || height <= 0 ||
      map.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
    throw Error(ErrorCode::internal, "a map of text has not as many values as its size says");
  }
  const cv::Mat values(height, width, CV_32FC1, const_cast<float*>(map.data()));
  cv::Mat ink = values > options.ink;
  // Joins what a gap of one pixel parts.
  cv::dilate(ink, ink, cv::Mat::ones(2, 2, CV_8UC1));
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(ink, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
  if (outlines.size() > options.most) outlines.resize(options.most);
  std::vector<Tilted> areas;
  for (const std::vector<cv::Point>& outline : outlines) {
    const cv::RotatedRect core = cv::minAreaRect(outline);
    if (std::min(core.size.width, core.size.height) < kLeastSide) continue;
    if (mean_in(values, ordered(core)) < options.least_mean) continue;
    const cv::RotatedRect whole = grown(core, options.growth);
    if (std::min(whole.size.width, whole.size.height) < kLeastSide + 2) continue;
    const Tilted area =
        scaled(ordered(whole), static_cast<float>(picture_width) / width,
               static_cast<float>(picture_height) / height, picture_width, picture_height);
    const cv::Size size = size_of(area);
    if (size.width > kLeastSide && size.height > kLeastSide) areas.push_back(area);
  }
  sort_by_lines(areas);
  return areas;
}

bool is_turned(const Tilted& area) {
  const cv::Size size = size_of(area);
  return static_cast<float>(size.height) >= kRunsDown * static_cast<float>(size.width);
}

Image cut_area(const Image& grey, const Tilted& area) {
  const cv::Size size = size_of(area);
  const auto w = static_cast<float>(size.width), h = static_cast<float>(size.height);
  std::vector<cv::Point2f> from;
  for (const Spot& corner : area) from.emplace_back(corner.x, corner.y);
  const std::vector<cv::Point2f> to = {{0, 0}, {w, 0}, {w, h}, {0, h}};
  Image cut = grey_of_size(size.width, size.height);
  cv::Mat target = grey_view(cut);
  cv::warpPerspective(grey_view(grey), target, cv::getPerspectiveTransform(from, to), size,
                      cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  if (!is_turned(area)) return cut;
  Image turned = grey_of_size(size.height, size.width);
  cv::Mat turned_target = grey_view(turned);
  cv::rotate(target, turned_target, cv::ROTATE_90_COUNTERCLOCKWISE);
  return turned;
}

Image resize_linear(const Image& grey, int width, int height) {
  Image result = grey_of_size(width, height);
  cv::Mat target = grey_view(result);
  cv::resize(grey_view(grey), target, target.size(), 0, 0, cv::INTER_LINEAR);
  return result;
}

}  // namespace fineprint::image
