// Finds landmarks by SIFT, and a view of the part in the whole by RANSAC, both with OpenCV.
#include "fineprint/image/landmarks.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <opencv2/calib3d.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>

#include "fineprint/core/error.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

// A match counts if the second nearest landmark is this much farther away. Source: Lowe (2004),
// section 7.1.
constexpr float kDistinct = 0.8F;
constexpr double kReprojection = 4;       // pixels between a landmark and where the view puts it
constexpr std::size_t kLeastMatches = 6;  // a view needs four; with so few any page has one
constexpr float kSamePlace = 3;           // pixels; letters that repeat match one place many times
// A view that shrinks the part to less than a tenth or enlarges it to more than eight times is none
// that people make, but one that chance finds.
constexpr double kLeastScale = 0.1, kMostScale = 8;
constexpr double kMostSlant = 0.5;  // change of scale across the part

cv::Mat grey_copy(const Image& picture) {
  check_whole(picture);
  auto* pixels = const_cast<std::uint8_t*>(picture.pixels.data());
  const cv::Mat given(picture.height, picture.width, CV_8UC(picture.channels), pixels,
                      picture.stride());
  cv::Mat grey;
  switch (picture.channels) {
    case 1:
      return given;
    case 3:
      cv::cvtColor(given, grey, cv::COLOR_RGB2GRAY);
      return grey;
    case 4:
      return grey_copy(on_white(picture));
    default:
      throw Error(ErrorCode::internal, "a picture of 1, 3 or 4 channels was expected");
  }
}

using Places = std::vector<cv::Point2f>;

// Matched landmarks, in the order of the part's.
struct Matched {
  Places of_part, of_whole;
};

// Returns whether a view could be that of a person who took a picture of the whole: not mirrored,
// neither tiny nor huge, and not slanted so much that nothing could be read.
bool is_plausible(const cv::Mat& view, int width, int height) {
  const auto at = [&](int row, int column) { return view.at<double>(row, column); };
  const double area = at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
  const double slant = std::max(std::abs(at(2, 0)) * width, std::abs(at(2, 1)) * height);
  return std::isfinite(area) && area > kLeastScale * kLeastScale &&
         area < kMostScale * kMostScale && slant < kMostSlant;
}

std::size_t different_places(const Places& places, const std::vector<std::uint8_t>& agrees) {
  std::set<std::pair<int, int>> different;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (agrees[i] == 0) continue;
    different.emplace(static_cast<int>(std::lround(places[i].x / kSamePlace)),
                      static_cast<int>(std::lround(places[i].y / kSamePlace)));
  }
  return different.size();
}

}  // namespace

struct Landmarks::Points {
  int width = 0, height = 0;
  Places places;
  cv::Mat descriptions;  // [places, 128]
};

Landmarks::Landmarks(const Image& picture, std::size_t most) {
  auto points = std::make_shared<Points>();
  points->width = picture.width;
  points->height = picture.height;
  std::vector<cv::KeyPoint> found;
  cv::SIFT::create(static_cast<int>(most))
      ->detectAndCompute(grey_copy(picture), cv::noArray(), found, points->descriptions);
  for (const cv::KeyPoint& one : found) points->places.push_back(one.pt);
  points_ = std::move(points);
}

std::size_t Landmarks::size() const { return points_->places.size(); }

// Reaches the points of Landmarks for find_part().
class PartSearch {
 public:
  PartSearch(const Landmarks& part, const Landmarks& whole)
      : part_(*part.points_), whole_(*whole.points_) {}

  std::optional<FoundPart> run() const {
    const Matched matched = matches();
    if (matched.of_part.size() < kLeastMatches) return std::nullopt;
    std::vector<std::uint8_t> agrees;
    const cv::Mat view =
        cv::findHomography(matched.of_part, matched.of_whole, cv::RANSAC, kReprojection, agrees);
    if (view.empty() || !is_plausible(view, part_.width, part_.height)) return std::nullopt;
    FoundPart found{.agreeing = different_places(matched.of_whole, agrees)};
    if (found.agreeing < kLeastAgreeing) return std::nullopt;
    found.corners = corners(view);
    return found;
  }

 private:
  Matched matches() const {
    Matched matched;
    if (part_.places.size() < kLeastMatches || whole_.places.size() < 2) return matched;
    std::vector<std::vector<cv::DMatch>> nearest;
    cv::BFMatcher(cv::NORM_L2).knnMatch(part_.descriptions, whole_.descriptions, nearest, 2);
    for (const std::vector<cv::DMatch>& two : nearest) {
      if (two.size() < 2 || !(two[0].distance < kDistinct * two[1].distance)) continue;
      matched.of_part.push_back(part_.places[static_cast<std::size_t>(two[0].queryIdx)]);
      matched.of_whole.push_back(whole_.places[static_cast<std::size_t>(two[0].trainIdx)]);
    }
    return matched;
  }

  Tilted corners(const cv::Mat& view) const {
    const auto right = static_cast<float>(part_.width), bottom = static_cast<float>(part_.height);
    const Places of_part = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
    Places of_whole;
    cv::perspectiveTransform(of_part, of_whole, view);
    Tilted corners;
    for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = {of_whole[i].x, of_whole[i].y};
    return corners;
  }

  const Landmarks::Points& part_;
  const Landmarks::Points& whole_;
};

std::optional<FoundPart> find_part(const Landmarks& part, const Landmarks& whole) {
  return PartSearch(part, whole).run();
}

}  // namespace fineprint::image
