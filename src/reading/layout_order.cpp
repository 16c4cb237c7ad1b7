// Finds columns by gutters: white strips that no fragment crosses, with text (not cells) on both
// sides.
#include "reading/layout_order.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "reading/layout_gutter.h"

namespace fineprint::reading {
namespace {

constexpr int kMaxDepth = 40;  // columns within columns; a page that needs more is not a real page

class Orderer {
 public:
  Orderer(const std::vector<Fragment>& fragments, const std::vector<Box>& rules)
      : fragments_(fragments), rules_(rules) {}

  // Adds the areas of `area` in reading order. A fragment that crosses the gutter ends the columns
  // above it, and everything below is searched again. For example, two columns, a wide table and
  // two columns again are read in that order.
  void order(Area area, int depth) {
    if (area.empty()) return;
    const std::optional<Gutter> gutter =
        depth < kMaxDepth ? column_gutter(fragments_, area, rules_) : std::nullopt;
    if (!gutter) {
      areas_.push_back(std::move(area));
      return;
    }
    Area above, left, right, below;
    for (const std::uint32_t index : area) {
      const Fragment& fragment = fragments_[index];
      const bool crosses = fragment.box.x0 < gutter->x1 && fragment.box.x1 > gutter->x0;
      if (fragment.middle_y() < gutter->y0) {
        above.push_back(index);
      } else if (fragment.middle_y() > gutter->y1 || crosses) {
        below.push_back(index);
      } else {
        (fragment.middle_x() < (gutter->x0 + gutter->x1) / 2 ? left : right).push_back(index);
      }
    }
    const std::size_t largest = std::max({above.size(), left.size(), right.size(), below.size()});
    if (largest == area.size()) {  // no progress: recursion would not end
      areas_.push_back(std::move(area));
      return;
    }
    for (Area* part : {&above, &left, &right, &below}) order(std::move(*part), depth + 1);
  }

  std::vector<Area> take() { return std::move(areas_); }

 private:
  const std::vector<Fragment>& fragments_;
  const std::vector<Box>& rules_;
  std::vector<Area> areas_;
};

}  // namespace

std::vector<Area> order_areas(const std::vector<Fragment>& fragments, const Area& all,
                              const std::vector<Box>& rules) {
  // A recursive XY cut (Nagy, Seth, ICPR 1984), but by gutters only, because white between lines
  // says nothing about their order.
  Orderer orderer(fragments, rules);
  orderer.order(all, 0);
  return orderer.take();
}

}  // namespace fineprint::reading
