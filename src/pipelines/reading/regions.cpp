// Names parts of a page, for models that cannot point at pixels.
#include "pipelines/reading/regions.h"

#include <algorithm>
#include <array>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::pipelines {
namespace {

constexpr std::array<std::string_view, 9> kNames = {"top",         "bottom",       "left",
                                                    "right",       "top left",     "top right",
                                                    "bottom left", "bottom right", "middle"};

}  // namespace

Box region_box(std::string_view where, float width_pt, float height_pt) {
  if (std::ranges::find(kNames, where) == kNames.end()) {
    throw Error(ErrorCode::internal, format("\"{}\" is not a region of a page", where));
  }
  const auto names = [&](std::string_view side) { return where.find(side) != where.npos; };
  Box box{0, 0, width_pt, height_pt};
  if (names("top")) box.y1 = height_pt / 2;
  if (names("bottom")) box.y0 = height_pt / 2;
  if (names("left")) box.x1 = width_pt / 2;
  if (names("right")) box.x0 = width_pt / 2;
  if (names("middle")) {
    box = {width_pt / 4, height_pt / 4, width_pt * 3 / 4, height_pt * 3 / 4};
  }
  return box;
}

}  // namespace fineprint::pipelines
