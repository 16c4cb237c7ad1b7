#include "reading/region_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fineprint/core/error.h"

namespace fineprint::reading {
namespace {

constexpr float kLeastRegion = 24;  // points; flatter regions are lines of text
constexpr float kTouches = 6;       // points
constexpr double kOfItsKind = 0.5;  // share of a box

Box grown_by(const Box& box, float points) {
  return {box.x0 - points, box.y0 - points, box.x1 + points, box.y1 + points};
}

// Joins boxes that touch until none do.
void join_touching(std::vector<Box>& boxes) {
  for (std::size_t i = 0; i < boxes.size();) {
    const auto other = std::find_if(
        boxes.begin() + static_cast<std::ptrdiff_t>(i) + 1, boxes.end(),
        [&](const Box& box) { return !intersected(grown_by(boxes[i], kTouches), box).empty(); });
    if (other == boxes.end()) {
      ++i;
      continue;
    }
    boxes[i] = united(boxes[i], *other);
    boxes.erase(other);
    i = 0;
  }
}

}  // namespace

RegionMap::RegionMap(std::vector<Region> places, int columns, int rows, float width_pt,
                     float height_pt)
    : places_(std::move(places)),
      columns_(columns),
      rows_(rows),
      place_w_(width_pt / static_cast<float>(columns)),
      place_h_(height_pt / static_cast<float>(rows)) {
  if (places_.size() != static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {
    throw Error(ErrorCode::internal, "a map of regions has another number of places");
  }
}

RegionMap::Places RegionMap::places_of(const Box& box) const {
  const auto low = [](float at, float step, int count) {
    return std::clamp(static_cast<int>(std::floor(at / step)), 0, count - 1);
  };
  const auto high = [](float at, float step, int count) {
    return std::clamp(static_cast<int>(std::ceil(at / step)), 1, count);
  };
  return {low(box.x0, place_w_, columns_), low(box.y0, place_h_, rows_),
          high(box.x1, place_w_, columns_), high(box.y1, place_h_, rows_)};
}

Box RegionMap::box_of_places(const Places& places) const {
  return {static_cast<float>(places.x0) * place_w_, static_cast<float>(places.y0) * place_h_,
          static_cast<float>(places.x1) * place_w_, static_cast<float>(places.y1) * place_h_};
}

RegionMap::Places RegionMap::flood(int start, Region kind, std::vector<bool>& seen) const {
  Places all{columns_, rows_, 0, 0};
  std::vector<int> todo = {start};
  seen[static_cast<std::size_t>(start)] = true;
  while (!todo.empty()) {
    const int x = todo.back() % columns_, y = todo.back() / columns_;
    todo.pop_back();
    all = {std::min(all.x0, x), std::min(all.y0, y), std::max(all.x1, x + 1),
           std::max(all.y1, y + 1)};
    for (int ny = std::max(0, y - 1); ny <= std::min(rows_ - 1, y + 1); ++ny) {
      for (int nx = std::max(0, x - 1); nx <= std::min(columns_ - 1, x + 1); ++nx) {
        const auto next = static_cast<std::size_t>(ny * columns_ + nx);
        if (seen[next] || places_[next] != kind) continue;
        seen[next] = true;
        todo.push_back(ny * columns_ + nx);
      }
    }
  }
  return all;
}

double RegionMap::share_of(const Box& box, Region kind) const {
  const Places places = places_of(box);
  std::ptrdiff_t count = 0;
  for (int y = places.y0; y < places.y1; ++y) {
    const auto row = places_.begin() + static_cast<std::ptrdiff_t>(y) * columns_;
    count += std::count(row + places.x0, row + places.x1, kind);
  }
  const double all = static_cast<double>(places.x1 - places.x0) * (places.y1 - places.y0);
  return static_cast<double>(count) / std::max(all, 1.0);
}

std::vector<Box> RegionMap::boxes(Region kind) const {
  std::vector<bool> seen(places_.size(), false);
  std::vector<Box> boxes;
  for (std::size_t start = 0; start < places_.size(); ++start) {
    if (seen[start] || places_[start] != kind) continue;
    const Box box = box_of_places(flood(static_cast<int>(start), kind, seen));
    if (box.width() >= kLeastRegion / 2) boxes.push_back(box);  // the rest is specks
  }
  join_touching(boxes);
  std::erase_if(boxes, [&](const Box& box) {
    return box.width() < kLeastRegion || box.height() < kLeastRegion ||
           share_of(box, kind) < kOfItsKind;
  });
  std::ranges::stable_sort(boxes, {}, &Box::y0);
  return boxes;
}

Region RegionMap::kind_of(const Box& box) const {
  const Places places = places_of(box);
  std::array<int, kRegions> counts{};
  for (int y = places.y0; y < places.y1; ++y) {
    for (int x = places.x0; x < places.x1; ++x) {
      ++counts[static_cast<std::size_t>(places_[static_cast<std::size_t>(y * columns_ + x)])];
    }
  }
  const auto most = std::max_element(counts.begin() + 1, counts.end());
  return *most == 0 ? Region::background : static_cast<Region>(most - counts.begin());
}

}  // namespace fineprint::reading
