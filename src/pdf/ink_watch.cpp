// Logs paints and runs of text. MuPDF calls these functions and may leave them by longjmp, so they
// hold only plain data.
#include "pdf/ink_watch.h"

#include <algorithm>
#include <cmath>

#include "pdf/path_box.h"

namespace fineprint::pdf {
namespace {

constexpr int kInkChunk = 64;
constexpr int kMostPaints = 50'000;
constexpr int kMostRuns = 200'000;
constexpr int kMostClips = 256;  // nested; deeper ones count as odd
// Paints that are looked at below a run. A map has thousands that are nowhere near.
constexpr int kMostBelow = 4096;
// Comparisons of runs with paints on one page. A page of tens of thousands of both, which nobody
// draws without intent, is drawn instead.
constexpr std::int64_t kMostSteps = 20'000'000;
constexpr float kLeastPaint = 2;      // points; smaller paints hide no text that can be read
constexpr float kOpaque = 0.95F;      // alpha
constexpr float kLeastCover = 0.7F;   // alpha of a paint that hides text under it
constexpr float kLeastAlpha = 0.15F;  // of text that can be seen
constexpr float kLikeness = 0.1F;     // of two colours, in each channel
constexpr float kTinySize = 1;        // points

// A device of MuPDF with more fields. `base` must come first.
struct WatchDevice {
  fz_device base;
  InkLog* log;
  fz_rect page;
  int depth;             // of clips, masks, groups and tiles
  bool odd[kMostClips];  // for each of them: hides or changes its contents in ways not followed
  int odd_depth;         // how many of them are odd
};

// A text on its way into the log.
struct TextWalk {
  WatchDevice* device;
  InkRun run;
  const float* rgb;  // null: not painted
  fz_point last;     // origin of the last glyph
};

WatchDevice* of(fz_device* device) { return reinterpret_cast<WatchDevice*>(device); }

template <class T>
void make_room(fz_context* context, T*& items, int count, int& capacity) {
  if (count < capacity) return;
  const int more = std::max(64, capacity * 2);
  items = static_cast<T*>(fz_realloc(context, items, sizeof(T) * static_cast<std::size_t>(more)));
  capacity = more;
}

fz_rect hull_of(fz_rect a, fz_rect b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

bool meet(fz_rect a, fz_rect b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }

// Allows for the rounding of boxes.
bool contains(fz_rect outer, fz_rect inner) {
  constexpr float kSlack = 0.5F;
  return outer.x0 <= inner.x0 + kSlack && outer.y0 <= inner.y0 + kSlack &&
         outer.x1 >= inner.x1 - kSlack && outer.y1 >= inner.y1 - kSlack;
}

bool are_alike(const float* a, const float* b) {
  return std::abs(a[0] - b[0]) < kLikeness && std::abs(a[1] - b[1]) < kLikeness &&
         std::abs(a[2] - b[2]) < kLikeness;
}

// Returns false if there is no colour, as for a pattern.
bool to_rgb(fz_context* context, fz_colorspace* space, const float* color, float* rgb) {
  if (space == nullptr || color == nullptr) return false;
  fz_convert_color(context, space, color, fz_device_rgb(context), rgb, nullptr,
                   fz_default_color_params);
  return true;
}

fz_rect visible_part(fz_context* context, WatchDevice* device, fz_rect box) {
  const fz_rect clip =
      fz_intersect_rect(fz_device_current_scissor(context, &device->base), device->page);
  return fz_intersect_rect(box, clip);
}

// Returns whether the colour is about that of what was painted at the run before.
bool is_pale(InkLog& log, const InkRun& run, const float* rgb) {
  constexpr float kPaper[3] = {1, 1, 1};
  int looked = 0;
  for (int i = log.paint_count - 1; i >= 0 && looked < kMostBelow; --i) {
    if (++log.steps > kMostSteps) return true;  // not known, so drawing must decide
    const int chunk = i / kInkChunk;
    if (!meet(log.chunks[chunk], run.box)) {
      i = chunk * kInkChunk;
      continue;
    }
    ++looked;
    const InkPaint& paint = log.paints[i];
    if (!meet(paint.box, run.box)) continue;
    if (paint.kind == InkPaint::picture) {
      // Pictures are usually darker than white and lighter than black, so only white is suspicious.
      if (are_alike(rgb, kPaper)) return true;
    } else if (are_alike(rgb, paint.rgb)) {
      return true;
    }
    if (paint.kind != InkPaint::shape && contains(paint.box, run.box)) return false;
  }
  return are_alike(rgb, kPaper);
}

void add_paint(fz_context* context, WatchDevice* device, fz_rect box, InkPaint::Kind kind,
               const float* rgb) {
  InkLog* log = device->log;
  const fz_rect seen = visible_part(context, device, box);
  const bool counts = seen.x1 - seen.x0 >= kLeastPaint && seen.y1 - seen.y0 >= kLeastPaint;
  if (!counts || log->paint_count >= kMostPaints) return;
  make_room(context, log->paints, log->paint_count, log->paint_capacity);
  const int chunk = log->paint_count / kInkChunk;
  if (chunk == log->chunk_count) {
    make_room(context, log->chunks, log->chunk_count, log->chunk_capacity);
    log->chunks[log->chunk_count++] = seen;
  }
  log->chunks[chunk] = hull_of(log->chunks[chunk], seen);
  InkPaint& paint = log->paints[log->paint_count++];
  paint.box = seen;
  // Under an odd clip, less than the box may be painted.
  paint.kind = kind == InkPaint::solid && device->odd_depth > 0 ? InkPaint::shape : kind;
  for (int i = 0; i < 3; ++i) paint.rgb[i] = rgb == nullptr ? 1 : rgb[i];
}

void end_run(fz_context* context, TextWalk* walk) {
  InkLog* log = walk->device->log;
  InkRun run = walk->run;
  walk->run.box = fz_empty_rect;
  if (fz_is_empty_rect(run.box) || log->run_count >= kMostRuns) return;
  if (walk->rgb != nullptr && is_pale(*log, run, walk->rgb)) run.doubts |= kPale;
  run.paints = static_cast<std::uint32_t>(log->paint_count);
  make_room(context, log->runs, log->run_count, log->run_capacity);
  log->runs[log->run_count++] = run;
}

// The size of glyphs in Type 3 fonts says nothing, so these are measured.
bool is_tiny(fz_context* context, const fz_text_span& span, fz_matrix place) {
  if (fz_matrix_expansion(place) >= kTinySize) return false;
  if (fz_font_t3_procs(context, span.font) == nullptr) return true;
  float most = 0;
  for (int i = 0; i < std::min(span.len, 8); ++i) {
    const fz_rect box = fz_bound_glyph(context, span.font, span.items[i].gid, place);
    most = std::max(most, box.y1 - box.y0);
  }
  return most < kTinySize;
}

// Adds the glyph at `at` to the run. `right` and `up` are one em.
void add_glyph(TextWalk* walk, fz_point at, float advance, fz_point right, fz_point up) {
  const fz_point end = {at.x + advance * right.x, at.y + advance * right.y};
  const auto corner = [&](fz_point from, float rise) {
    return fz_point{from.x + rise * up.x, from.y + rise * up.y};
  };
  fz_rect box = {at.x, at.y, at.x, at.y};
  for (const fz_point p :
       {corner(at, -0.2F), corner(at, 0.75F), corner(end, -0.2F), corner(end, 0.75F)}) {
    box = hull_of(box, {p.x, p.y, p.x, p.y});
  }
  walk->run.box = fz_is_empty_rect(walk->run.box) ? box : hull_of(walk->run.box, box);
  walk->last = at;
}

// Returns whether a glyph at `at` is on another line than the last one, or far from it.
bool starts_run(const TextWalk& walk, fz_point at, fz_point right, fz_point up) {
  if (fz_is_empty_rect(walk.run.box)) return false;
  const float dx = at.x - walk.last.x, dy = at.y - walk.last.y;
  const auto share = [&](fz_point em) {
    return (dx * em.x + dy * em.y) / std::max(1e-6F, em.x * em.x + em.y * em.y);
  };
  return std::abs(share(up)) > 0.3F || share(right) > 4 || share(right) < -1;
}

void add_span(fz_context* context, TextWalk* walk, const fz_text_span& span, fz_matrix ctm) {
  fz_matrix place = span.trm;
  place.e = place.f = 0;
  place = fz_concat(place, {ctm.a, ctm.b, ctm.c, ctm.d, 0, 0});
  const fz_point right = {place.a, place.b}, up = {place.c, place.d};
  const std::uint8_t doubts = walk->run.doubts;
  walk->run.size = fz_matrix_expansion(place);
  if (is_tiny(context, span, place)) walk->run.doubts |= kTiny;
  for (int i = 0; i < span.len; ++i) {
    const fz_text_item& item = span.items[i];
    if (item.ucs == ' ' || item.gid < 0) continue;
    const fz_point at = fz_transform_point_xy(item.x, item.y, ctm);
    if (starts_run(*walk, at, right, up)) end_run(context, walk);
    add_glyph(walk, at, item.adv > 0 && item.adv < 4 ? item.adv : 0.5F, right, up);
  }
  end_run(context, walk);
  walk->run.doubts = doubts;
}

// Logs a text. `rgb` is null if it is not painted.
void log_text(fz_context* context, WatchDevice* device, const fz_text* text, fz_matrix ctm,
              const float* rgb, float alpha) {
  TextWalk walk = {};
  walk.device = device;
  walk.rgb = rgb;
  walk.run.box = fz_empty_rect;
  walk.run.text = ++device->log->texts;
  if (rgb == nullptr || alpha <= 0) walk.run.doubts |= kUnpainted;
  if (rgb != nullptr && alpha > 0 && alpha < kLeastAlpha) walk.run.doubts |= kPale;
  if (device->odd_depth > 0) walk.run.doubts |= kOdd;
  for (const fz_text_span* span = text->head; span != nullptr; span = span->next) {
    add_span(context, &walk, *span, ctm);
  }
}

// The number of the last text as a colour. Rounding must not change it.
void number_color(const InkLog& log, float* color) {
  constexpr float kFraction = 0.3F;
  for (int i = 0; i < 3; ++i) {
    const auto byte = static_cast<float>(log.texts >> (8 * (2 - i)) & 0xFF);
    color[i] = std::min(1.0F, (byte + kFraction) / 255);
  }
}

void pass_filled(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm) {
  float color[3];
  number_color(*of(base)->log, color);
  fz_fill_text(context, base->passthrough, text, ctm, fz_device_rgb(context), color, 1,
               fz_default_color_params);
}

void watch_fill_text(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm,
                     fz_colorspace* space, const float* color, float alpha,
                     fz_color_params /*params*/) {
  float rgb[3];
  const bool painted = to_rgb(context, space, color, rgb);
  log_text(context, of(base), text, ctm, painted ? rgb : nullptr, alpha);
  pass_filled(context, base, text, ctm);
}

void watch_stroke_text(fz_context* context, fz_device* base, const fz_text* text,
                       const fz_stroke_state* stroke, fz_matrix ctm, fz_colorspace* space,
                       const float* color, float alpha, fz_color_params params) {
  float rgb[3];
  const bool painted = to_rgb(context, space, color, rgb);
  log_text(context, of(base), text, ctm, painted ? rgb : nullptr, alpha);
  float number[3];
  number_color(*of(base)->log, number);
  fz_stroke_text(context, base->passthrough, text, stroke, ctm, fz_device_rgb(context), number, 1,
                 params);
}

void watch_ignore_text(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm) {
  log_text(context, of(base), text, ctm, nullptr, 0);
  pass_filled(context, base, text, ctm);
}

void push(WatchDevice* device, bool odd) {
  if (device->depth < kMostClips) device->odd[device->depth] = odd;
  device->odd_depth += odd || device->depth >= kMostClips ? 1 : 0;
  ++device->depth;
}

void pop(WatchDevice* device) {
  if (device->depth == 0) return;
  --device->depth;
  const bool odd = device->depth >= kMostClips || device->odd[device->depth];
  device->odd_depth -= odd ? 1 : 0;
}

// Clips the device after this one to the box of a text.
void clip_to_box(fz_context* context, fz_device* target, fz_rect box, fz_rect scissor) {
  fz_path* path = fz_new_path(context);
  fz_try(context) {
    fz_rectto(context, path, box.x0, box.y0, box.x1, box.y1);
    fz_clip_path(context, target, path, 0, fz_identity, scissor);
  }
  fz_always(context) { fz_drop_path(context, path); }
  fz_catch(context) { fz_rethrow(context); }
}

// MuPDF's text device takes no colour for a text that is only a clip, so the text is passed on as
// if it was filled, and the clip as a box.
void watch_clip_text(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm,
                     fz_rect scissor) {
  push(of(base), true);
  log_text(context, of(base), text, ctm, nullptr, 0);
  pass_filled(context, base, text, ctm);
  clip_to_box(context, base->passthrough, fz_bound_text(context, text, nullptr, ctm), scissor);
}

void watch_clip_stroke_text(fz_context* context, fz_device* base, const fz_text* text,
                            const fz_stroke_state* stroke, fz_matrix ctm, fz_rect scissor) {
  push(of(base), true);
  log_text(context, of(base), text, ctm, nullptr, 0);
  pass_filled(context, base, text, ctm);
  clip_to_box(context, base->passthrough, fz_bound_text(context, text, stroke, ctm), scissor);
}

void watch_fill_path(fz_context* context, fz_device* base, const fz_path* path, int even_odd,
                     fz_matrix ctm, fz_colorspace* space, const float* color, float alpha,
                     fz_color_params params) {
  float rgb[3];
  if (alpha >= kLeastCover) {
    const bool plain = to_rgb(context, space, color, rgb);
    fz_rect box = fz_empty_rect;
    const bool rect = is_box(context, path, ctm, &box);
    if (!rect) box = fz_bound_path(context, path, nullptr, ctm);
    const bool solid = rect && plain && alpha >= kOpaque;
    add_paint(context, of(base), box, solid ? InkPaint::solid : InkPaint::shape,
              plain ? rgb : nullptr);
  }
  fz_fill_path(context, base->passthrough, path, even_odd, ctm, space, color, alpha, params);
}

// A line as thick as a word may cover it.
void watch_stroke_path(fz_context* context, fz_device* base, const fz_path* path,
                       const fz_stroke_state* stroke, fz_matrix ctm, fz_colorspace* space,
                       const float* color, float alpha, fz_color_params params) {
  float rgb[3];
  if (alpha >= kLeastCover && stroke->linewidth * fz_matrix_expansion(ctm) >= kLeastPaint) {
    const bool plain = to_rgb(context, space, color, rgb);
    add_paint(context, of(base), fz_bound_path(context, path, stroke, ctm), InkPaint::shape,
              plain ? rgb : nullptr);
  }
  fz_stroke_path(context, base->passthrough, path, stroke, ctm, space, color, alpha, params);
}

void watch_shade(fz_context* context, fz_device* base, fz_shade* shade, fz_matrix ctm, float alpha,
                 fz_color_params params) {
  if (alpha >= kLeastCover) {
    add_paint(context, of(base), fz_bound_shade(context, shade, ctm), InkPaint::picture, nullptr);
  }
  fz_fill_shade(context, base->passthrough, shade, ctm, alpha, params);
}

void watch_image(fz_context* context, fz_device* base, fz_image* image, fz_matrix ctm, float alpha,
                 fz_color_params params) {
  if (alpha >= kLeastCover) {
    add_paint(context, of(base), fz_transform_rect(fz_unit_rect, ctm), InkPaint::picture, nullptr);
  }
  fz_fill_image(context, base->passthrough, image, ctm, alpha, params);
}

void watch_image_mask(fz_context* context, fz_device* base, fz_image* image, fz_matrix ctm,
                      fz_colorspace* space, const float* color, float alpha,
                      fz_color_params params) {
  float rgb[3];
  if (alpha >= kLeastCover) {
    const bool plain = to_rgb(context, space, color, rgb);
    add_paint(context, of(base), fz_transform_rect(fz_unit_rect, ctm), InkPaint::shape,
              plain ? rgb : nullptr);
  }
  fz_fill_image_mask(context, base->passthrough, image, ctm, space, color, alpha, params);
}

// A clip that is a rectangle needs no look: MuPDF's text device leaves out the rest.
void watch_clip_path(fz_context* context, fz_device* base, const fz_path* path, int even_odd,
                     fz_matrix ctm, fz_rect scissor) {
  fz_rect box;
  push(of(base), !is_box(context, path, ctm, &box));
  fz_clip_path(context, base->passthrough, path, even_odd, ctm, scissor);
}

void watch_clip_stroke_path(fz_context* context, fz_device* base, const fz_path* path,
                            const fz_stroke_state* stroke, fz_matrix ctm, fz_rect scissor) {
  push(of(base), true);
  fz_clip_stroke_path(context, base->passthrough, path, stroke, ctm, scissor);
}

void watch_clip_image_mask(fz_context* context, fz_device* base, fz_image* image, fz_matrix ctm,
                           fz_rect scissor) {
  push(of(base), true);
  fz_clip_image_mask(context, base->passthrough, image, ctm, scissor);
}

void watch_pop_clip(fz_context* context, fz_device* base) {
  pop(of(base));
  fz_pop_clip(context, base->passthrough);
}

// From the beginning of a mask to the end of the clip that it becomes.
void watch_begin_mask(fz_context* context, fz_device* base, fz_rect area, int luminosity,
                      fz_colorspace* space, const float* backdrop, fz_color_params params) {
  push(of(base), true);
  fz_begin_mask(context, base->passthrough, area, luminosity, space, backdrop, params);
}

void watch_begin_group(fz_context* context, fz_device* base, fz_rect area, fz_colorspace* space,
                       int isolated, int knockout, int blend, float alpha) {
  push(of(base), blend != FZ_BLEND_NORMAL || alpha < kLeastCover);
  fz_begin_group(context, base->passthrough, area, space, isolated, knockout, blend, alpha);
}

void watch_end_group(fz_context* context, fz_device* base) {
  pop(of(base));
  fz_end_group(context, base->passthrough);
}

int watch_begin_tile(fz_context* context, fz_device* base, fz_rect area, fz_rect view, float x_step,
                     float y_step, fz_matrix ctm, int id, int document) {
  push(of(base), true);
  return fz_begin_tile_tid(context, base->passthrough, area, view, x_step, y_step, ctm, id,
                           document);
}

void watch_end_tile(fz_context* context, fz_device* base) {
  pop(of(base));
  fz_end_tile(context, base->passthrough);
}

}  // namespace

InkLog::~InkLog() {
  fz_free(context, paints);
  fz_free(context, runs);
  fz_free(context, chunks);
}

void InkLog::look_for_covers() {
  int pictures_end = paint_count;  // after the last picture
  while (pictures_end > 0 && paints[pictures_end - 1].kind != InkPaint::picture) --pictures_end;
  for (int r = 0; r < run_count; ++r) {
    InkRun& run = runs[r];
    for (int i = static_cast<int>(run.paints); i < paint_count; ++i) {
      const bool is_covered = (run.doubts & kCovered) != 0;
      if (is_covered && ((run.doubts & kUnderPicture) != 0 || i >= pictures_end)) break;
      if (++steps > kMostSteps) {
        run.doubts |= kCovered;  // not known, so drawing must decide
        break;
      }
      const int chunk = i / kInkChunk;
      if (!meet(chunks[chunk], run.box)) {
        i = (chunk + 1) * kInkChunk - 1;
        continue;
      }
      // A rule under a word, or a frame around it, covers less.
      const fz_rect both = fz_intersect_rect(paints[i].box, run.box);
      const float width = both.x1 - both.x0, height = both.y1 - both.y0;
      if (std::min(width, height) < 0.35F * run.size) continue;
      run.doubts |= paints[i].kind == InkPaint::picture ? kUnderPicture : kCovered;
    }
  }
}

fz_device* new_ink_watch_device(fz_context* context, fz_device* target, InkLog* log, fz_rect page) {
  auto* device = reinterpret_cast<WatchDevice*>(
      fz_new_passthrough_device_of_size(context, target, sizeof(WatchDevice)));
  device->log = log;
  device->page = page;
  device->depth = device->odd_depth = 0;
  fz_device& base = device->base;
  base.fill_path = watch_fill_path;
  base.stroke_path = watch_stroke_path;
  base.clip_path = watch_clip_path;
  base.clip_stroke_path = watch_clip_stroke_path;
  base.fill_text = watch_fill_text;
  base.stroke_text = watch_stroke_text;
  base.clip_text = watch_clip_text;
  base.clip_stroke_text = watch_clip_stroke_text;
  base.ignore_text = watch_ignore_text;
  base.fill_shade = watch_shade;
  base.fill_image = watch_image;
  base.fill_image_mask = watch_image_mask;
  base.clip_image_mask = watch_clip_image_mask;
  base.pop_clip = watch_pop_clip;
  base.begin_mask = watch_begin_mask;
  base.begin_group = watch_begin_group;
  base.end_group = watch_end_group;
  base.begin_tile = watch_begin_tile;
  base.end_tile = watch_end_tile;
  return &device->base;
}

}  // namespace fineprint::pdf
