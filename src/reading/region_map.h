// What a page shows at each place, by kinds of regions.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/core/geometry.h"

namespace fineprint::reading {

// The classes of DocLayNet (arXiv 2206.01062) after the background, in the order of the network.
enum class Region : std::uint8_t {
  background,
  text,
  title,
  picture,
  table,
  list_item,
  page_header,
  page_footer,
  section_header,
  footnote,
  caption,
  formula,
};
inline constexpr std::size_t kRegions = 12;

// A page divided into `columns` x `rows` places.
class RegionMap {
 public:
  // `places` are row by row from the top left. Throws Error(internal) if they are not columns x
  // rows.
  RegionMap(std::vector<Region> places, int columns, int rows, float width_pt, float height_pt);

  // Returns the boxes around connected places of one kind, in points, from the top. Boxes that
  // touch are joined. Boxes with a side under a third of an inch, or of which less than half is of
  // this kind, are left out.
  std::vector<Box> boxes(Region kind) const;
  // Returns the kind of most places of a box that are not background; background if all are.
  Region kind_of(const Box& box) const;

 private:
  struct Places {
    int x0, y0, x1, y1;  // x1 and y1 are after the last
  };
  Places places_of(const Box& box) const;
  Box box_of_places(const Places& places) const;
  Places flood(int start, Region kind, std::vector<bool>& seen) const;
  double share_of(const Box& box, Region kind) const;

  std::vector<Region> places_;
  int columns_, rows_;
  float place_w_, place_h_;  // in points
};

}  // namespace fineprint::reading
