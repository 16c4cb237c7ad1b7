// Passes on what MuPDF draws, and logs it on the way. MuPDF calls these functions and may leave
// them by longjmp, so they hold only plain data.
#include "pdf/ink_watch.h"

#include <algorithm>

#include "pdf/ink_text.h"
#include "pdf/path_box.h"

namespace fineprint::pdf {
namespace {

constexpr int kMostClips = 256;      // nested; deeper ones count as odd
constexpr float kOpaque = 0.95F;     // alpha
constexpr float kLeastCover = 0.7F;  // alpha of a paint that hides text under it

// A device of MuPDF with more fields. `base` must come first.
struct WatchDevice {
  fz_device base;
  InkLog* log;
  fz_rect page;
  int depth;             // of clips, masks, groups and tiles
  bool odd[kMostClips];  // for each of them: hides or changes its contents in ways not followed
  int odd_depth;         // how many of them are odd
};

WatchDevice* of(fz_device* device) { return reinterpret_cast<WatchDevice*>(device); }

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

void add_paint(fz_context* context, WatchDevice* device, fz_rect box, InkPaint::Kind kind,
               const float* rgb) {
  // Under an odd clip, less than the box may be painted.
  if (kind == InkPaint::solid && device->odd_depth > 0) kind = InkPaint::shape;
  device->log->add_paint(visible_part(context, device, box), kind, rgb);
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
  log_text(of(base)->log, text, ctm, {painted ? rgb : nullptr, alpha, of(base)->odd_depth > 0});
  pass_filled(context, base, text, ctm);
}

void watch_stroke_text(fz_context* context, fz_device* base, const fz_text* text,
                       const fz_stroke_state* stroke, fz_matrix ctm, fz_colorspace* space,
                       const float* color, float alpha, fz_color_params params) {
  float rgb[3];
  const bool painted = to_rgb(context, space, color, rgb);
  log_text(of(base)->log, text, ctm, {painted ? rgb : nullptr, alpha, of(base)->odd_depth > 0});
  float number[3];
  number_color(*of(base)->log, number);
  fz_stroke_text(context, base->passthrough, text, stroke, ctm, fz_device_rgb(context), number, 1,
                 params);
}

void watch_ignore_text(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm) {
  log_text(of(base)->log, text, ctm, {nullptr, 0, of(base)->odd_depth > 0});
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
  log_text(of(base)->log, text, ctm, {nullptr, 0, of(base)->odd_depth > 0});
  pass_filled(context, base, text, ctm);
  clip_to_box(context, base->passthrough, fz_bound_text(context, text, nullptr, ctm), scissor);
}

void watch_clip_stroke_text(fz_context* context, fz_device* base, const fz_text* text,
                            const fz_stroke_state* stroke, fz_matrix ctm, fz_rect scissor) {
  push(of(base), true);
  log_text(of(base)->log, text, ctm, {nullptr, 0, of(base)->odd_depth > 0});
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
