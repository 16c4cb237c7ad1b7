// Splits paths into axis-parallel rules and everything else. MuPDF calls these functions and may
// leave them by longjmp, so they hold only plain data.
#include "pdf/vectors.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pdf {
namespace {

constexpr float kMaxRuleThickness = 3;  // points; a thicker line is a bar
// In points. Shorter thin shapes, for example dots, divide nothing.
constexpr float kMinRuleLength = 4;
constexpr float kMinPicture = 2;
// The side of a box to tick, and how much longer than wide it may be.
constexpr float kMinBox = 5, kMaxBox = 18, kMostBoxRatio = 1.25F;
constexpr float kHairline = 0.25F;  // thickness of a line of width 0
// A shape that covers this share of the page is its background.
constexpr float kPageShare = 0.95F;
constexpr int kMaxBoxes = 50'000;  // maps have millions of strokes, which say nothing about layout

// A device of MuPDF with more fields. `base` must come first.
struct VectorsDevice {
  fz_device base;
  Vectors* vectors;
  fz_rect page;
};

void append(fz_context* context, BoxArray* array, fz_rect box) {
  // Silently: the page is still read, only without further rules.
  if (array->count == kMaxBoxes) return;
  if (array->count == array->capacity) {
    const int capacity = std::max(64, array->capacity * 2);
    array->items = fz_realloc_array(context, array->items, capacity, fz_rect);
    array->capacity = capacity;
  }
  array->items[array->count++] = box;
}

float width_of(fz_rect box) { return box.x1 - box.x0; }
float height_of(fz_rect box) { return box.y1 - box.y0; }

bool covers_page(fz_rect box, fz_rect page) {
  return width_of(box) * height_of(box) >= kPageShare * width_of(page) * height_of(page);
}

// Returns the part of `box` that is visible under the current clip.
fz_rect visible(fz_context* context, VectorsDevice* device, fz_rect box) {
  const fz_rect clip =
      fz_intersect_rect(fz_device_current_scissor(context, &device->base), device->page);
  return fz_intersect_rect(box, clip);
}

// State while walking a path. Points are in page coordinates.
struct PathWalk {
  VectorsDevice* device;
  fz_matrix ctm;
  bool stroked;
  bool quiet;           // white shapes are not drawings, but may be rules
  float half_width;     // of the stroke
  fz_point start, at;   // of the current subpath
  fz_rect bounds;       // of the current subpath
  bool straight;        // all segments of the subpath so far are axis-parallel
  bool bent;            // some finished subpath was not straight
  fz_rect bent_bounds;  // around those subpaths
};

void add_shape(fz_context* context, PathWalk* walk, fz_rect box) {
  const fz_rect seen = visible(context, walk->device, box);
  if (fz_is_empty_rect(seen)) return;
  const float thickness = std::min(width_of(seen), height_of(seen));
  const float length = std::max(width_of(seen), height_of(seen));
  // A thin shape is a rule, also if it was filled and not stroked.
  if (thickness <= kMaxRuleThickness) {
    if (length >= kMinRuleLength && length >= 2 * thickness) {
      append(context, &walk->device->vectors->rules, seen);
    }
  } else if (!walk->quiet && !covers_page(seen, walk->device->page)) {
    append(context, &walk->device->vectors->drawings, seen);
  }
}

fz_rect around(fz_point a, fz_point b, float margin) {
  return {std::min(a.x, b.x) - margin, std::min(a.y, b.y) - margin, std::max(a.x, b.x) + margin,
          std::max(a.y, b.y) + margin};
}

void add_segment(fz_context* context, PathWalk* walk, fz_point to) {
  const bool parallel = std::abs(to.x - walk->at.x) < 0.1F || std::abs(to.y - walk->at.y) < 0.1F;
  if (!parallel) walk->straight = false;
  // The four sides of a stroked rectangle are four rules, as cells of tables are drawn.
  if (walk->stroked && parallel) add_shape(context, walk, around(walk->at, to, walk->half_width));
  walk->bounds = fz_union_rect(walk->bounds, around(walk->at, to, kHairline / 2));
  walk->at = to;
}

// Records an outline if it has the size of a box to tick.
void add_square(fz_context* context, PathWalk* walk, fz_rect box) {
  const fz_rect seen = visible(context, walk->device, box);
  if (fz_is_empty_rect(seen)) return;
  const float shorter = std::min(width_of(seen), height_of(seen));
  const float longer = std::max(width_of(seen), height_of(seen));
  if (shorter < kMinBox || longer > kMaxBox || longer > kMostBoxRatio * shorter) return;
  append(context, &walk->device->vectors->squares, seen);
}

// Straight subpaths of a stroke were already added segment by segment.
void end_subpath(fz_context* context, PathWalk* walk) {
  if (fz_is_empty_rect(walk->bounds)) return;
  if (!walk->straight) {
    walk->bent = true;
    walk->bent_bounds = fz_union_rect(walk->bent_bounds, walk->bounds);
  } else if (!walk->stroked) {
    add_shape(context, walk, walk->bounds);
  } else {
    add_square(context, walk, walk->bounds);
  }
  walk->bounds = fz_empty_rect;
  walk->straight = true;
}

// The four functions below are called by fz_walk_path for each part of a path.
void move_to(fz_context* context, void* user, float x, float y) {
  auto* walk = static_cast<PathWalk*>(user);
  end_subpath(context, walk);
  walk->start = walk->at = fz_transform_point_xy(x, y, walk->ctm);
}

void line_to(fz_context* context, void* user, float x, float y) {
  auto* walk = static_cast<PathWalk*>(user);
  add_segment(context, walk, fz_transform_point_xy(x, y, walk->ctm));
}

void curve_to(fz_context* /*context*/, void* user, float x1, float y1, float x2, float y2, float x3,
              float y3) {
  auto* walk = static_cast<PathWalk*>(user);
  // The box of its points contains the curve.
  const fz_point first = fz_transform_point_xy(x1, y1, walk->ctm);
  const fz_point second = fz_transform_point_xy(x2, y2, walk->ctm);
  const fz_point to = fz_transform_point_xy(x3, y3, walk->ctm);
  walk->bounds = fz_union_rect(walk->bounds, around(walk->at, first, kHairline / 2));
  walk->bounds = fz_union_rect(walk->bounds, around(second, to, kHairline / 2));
  walk->at = to;
  walk->straight = false;
}

void close_path(fz_context* context, void* user) {
  auto* walk = static_cast<PathWalk*>(user);
  add_segment(context, walk, walk->start);
  end_subpath(context, walk);
}

void walk_path(fz_context* context, const fz_path* path, PathWalk* walk) {
  fz_path_walker walker = {};
  walker.moveto = move_to;
  walker.lineto = line_to;
  walker.curveto = curve_to;
  walker.closepath = close_path;
  fz_walk_path(context, path, &walker, walk);
  end_subpath(context, walk);
  if (walk->bent) add_shape(context, walk, walk->bent_bounds);
}

// Allows for small differences, for example from colour conversion.
bool is_white(fz_context* context, fz_colorspace* space, const float* color) {
  if (space == nullptr || color == nullptr) return false;
  float rgb[3] = {0, 0, 0};
  fz_convert_color(context, space, color, fz_device_rgb(context), rgb, nullptr,
                   fz_default_color_params);
  return rgb[0] > 0.98F && rgb[1] > 0.98F && rgb[2] > 0.98F;
}

PathWalk walk_with(VectorsDevice* device, fz_matrix ctm, bool stroked) {
  PathWalk walk = {};
  walk.device = device;
  walk.ctm = ctm;
  walk.stroked = stroked;
  walk.straight = true;
  walk.bounds = walk.bent_bounds = fz_empty_rect;
  return walk;
}

void fill_path(fz_context* context, fz_device* base, const fz_path* path, int /*even_odd*/,
               fz_matrix ctm, fz_colorspace* space, const float* color, float alpha,
               fz_color_params /*params*/) {
  if (alpha <= 0) return;
  PathWalk walk = walk_with(reinterpret_cast<VectorsDevice*>(base), ctm, false);
  walk.quiet = is_white(context, space, color);
  walk_path(context, path, &walk);
}

void stroke_path(fz_context* context, fz_device* base, const fz_path* path,
                 const fz_stroke_state* stroke, fz_matrix ctm, fz_colorspace* /*space*/,
                 const float* /*color*/, float alpha, fz_color_params /*params*/) {
  if (alpha <= 0) return;
  PathWalk walk = walk_with(reinterpret_cast<VectorsDevice*>(base), ctm, true);
  walk.half_width = std::max(kHairline, stroke->linewidth * fz_matrix_expansion(ctm)) / 2;
  walk_path(context, path, &walk);
}

void note_picture(fz_context* context, fz_device* base, fz_matrix ctm) {
  auto* device = reinterpret_cast<VectorsDevice*>(base);
  const fz_rect box = visible(context, device, fz_transform_rect(fz_unit_rect, ctm));
  if (width_of(box) < kMinPicture || height_of(box) < kMinPicture) return;
  append(context, &device->vectors->images, box);
}

void cover_image(fz_context* context, fz_device* base, fz_image* /*image*/, fz_matrix ctm,
                 float alpha, fz_color_params /*params*/) {
  if (alpha > 0) note_picture(context, base, ctm);
}

void fill_image_mask(fz_context* context, fz_device* base, fz_image* /*image*/, fz_matrix ctm,
                     fz_colorspace* /*space*/, const float* /*color*/, float alpha,
                     fz_color_params /*params*/) {
  if (alpha > 0) note_picture(context, base, ctm);
}

void fill_shade(fz_context* context, fz_device* base, fz_shade* shade, fz_matrix ctm, float alpha,
                fz_color_params /*params*/) {
  auto* device = reinterpret_cast<VectorsDevice*>(base);
  const fz_rect box = visible(context, device, fz_bound_shade(context, shade, ctm));
  if (alpha <= 0 || fz_is_empty_rect(box) || covers_page(box, device->page)) return;
  append(context, &device->vectors->drawings, box);
}

}  // namespace

Vectors::~Vectors() {
  fz_free(context, rules.items);
  fz_free(context, images.items);
  fz_free(context, drawings.items);
  fz_free(context, squares.items);
}

fz_device* new_vectors_device(fz_context* context, fz_device* text_device, Vectors* vectors,
                              fz_rect page) {
  auto* device = reinterpret_cast<VectorsDevice*>(
      fz_new_passthrough_device_of_size(context, text_device, sizeof(VectorsDevice)));
  device->vectors = vectors;
  device->page = page;
  device->base.fill_path = fill_path;
  device->base.stroke_path = stroke_path;
  device->base.fill_image = cover_image;
  device->base.fill_image_mask = fill_image_mask;
  device->base.fill_shade = fill_shade;
  return &device->base;
}

std::vector<Box> to_boxes(const BoxArray& array) {
  std::vector<Box> boxes;
  boxes.reserve(static_cast<std::size_t>(array.count));
  for (int i = 0; i < array.count; ++i) {
    const fz_rect& item = array.items[i];
    boxes.push_back({item.x0, item.y0, item.x1, item.y1});
  }
  return boxes;
}

}  // namespace fineprint::pdf
