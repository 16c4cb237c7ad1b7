// Recognises rectangles. MuPDF calls the walking functions and may leave them by longjmp, so they
// hold only plain data.
#include "pdf/path_box.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pdf {
namespace {

// A path on its way to be recognised as a rectangle. Points are in page coordinates.
struct BoxWalk {
  fz_matrix ctm;
  fz_point points[8];
  int count;
  bool plain;  // so far one subpath of a few straight lines
};

void walk_point(BoxWalk* walk, float x, float y) {
  constexpr int kMostPoints = 8;
  if (walk->count == kMostPoints) walk->plain = false;
  if (walk->plain) walk->points[walk->count++] = fz_transform_point_xy(x, y, walk->ctm);
}

void walk_move(fz_context* /*context*/, void* user, float x, float y) {
  auto* walk = static_cast<BoxWalk*>(user);
  if (walk->count > 0) walk->plain = false;
  walk_point(walk, x, y);
}

void walk_line(fz_context* /*context*/, void* user, float x, float y) {
  walk_point(static_cast<BoxWalk*>(user), x, y);
}

void walk_curve(fz_context* /*context*/, void* user, float, float, float, float, float, float) {
  static_cast<BoxWalk*>(user)->plain = false;
}

void walk_close(fz_context* /*context*/, void* /*user*/) {}

}  // namespace

bool is_box(fz_context* context, const fz_path* path, fz_matrix ctm, fz_rect* box) {
  if (fz_path_is_rect_with_bounds(context, path, ctm, box) != 0) return true;
  fz_path_walker walker = {};
  walker.moveto = walk_move;
  walker.lineto = walk_line;
  walker.curveto = walk_curve;
  walker.closepath = walk_close;
  BoxWalk walk = {};
  walk.ctm = ctm;
  walk.plain = true;
  fz_walk_path(context, path, &walker, &walk);
  if (!walk.plain || walk.count < 4) return false;
  const auto near = [](float a, float b) { return std::abs(a - b) < 0.05F; };
  fz_rect bounds = {walk.points[0].x, walk.points[0].y, walk.points[0].x, walk.points[0].y};
  for (int i = 1; i < walk.count; ++i) {
    const fz_point p = walk.points[i], before = walk.points[i - 1];
    if (!near(p.x, before.x) && !near(p.y, before.y)) return false;
    bounds = {std::min(bounds.x0, p.x), std::min(bounds.y0, p.y), std::max(bounds.x1, p.x),
              std::max(bounds.y1, p.y)};
  }
  unsigned corners = 0;
  for (int i = 0; i < walk.count; ++i) {
    const fz_point p = walk.points[i];
    const bool left = near(p.x, bounds.x0), top = near(p.y, bounds.y0);
    if ((!left && !near(p.x, bounds.x1)) || (!top && !near(p.y, bounds.y1))) return false;
    corners |= 1U << ((left ? 0 : 1) + (top ? 0 : 2));
  }
  *box = bounds;
  return corners == 0xF;
}

}  // namespace fineprint::pdf
