// Counts texts. MuPDF calls these functions and may leave them by longjmp, so they hold only plain
// data.
#include "pdf/text_filter.h"

#include <algorithm>

namespace fineprint::pdf {
namespace {

// A device of MuPDF with more fields. `base` must come first.
struct FilterDevice {
  fz_device base;
  ChosenTexts chosen;
  std::uint32_t texts;    // so far
  fz_device* targets[2];  // of a sorter: for other texts and for chosen ones
};

FilterDevice* filter_of(fz_device* device) { return reinterpret_cast<FilterDevice*>(device); }

// Counts a text and returns whether it is chosen.
bool next_is_chosen(fz_device* device) {
  FilterDevice* filter = filter_of(device);
  const std::uint32_t number = ++filter->texts;
  return std::binary_search(filter->chosen.numbers, filter->chosen.numbers + filter->chosen.count,
                            number);
}

// Clips everything away, until the clip is popped.
void clip_all(fz_context* context, fz_device* target) {
  fz_path* path = fz_new_path(context);
  fz_try(context) { fz_clip_path(context, target, path, 0, fz_identity, fz_empty_rect); }
  fz_always(context) { fz_drop_path(context, path); }
  fz_catch(context) { fz_rethrow(context); }
}

void remove_filled(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm,
                   fz_colorspace* space, const float* color, float alpha, fz_color_params params) {
  if (next_is_chosen(base)) return;
  fz_fill_text(context, base->passthrough, text, ctm, space, color, alpha, params);
}

void remove_stroked(fz_context* context, fz_device* base, const fz_text* text,
                    const fz_stroke_state* stroke, fz_matrix ctm, fz_colorspace* space,
                    const float* color, float alpha, fz_color_params params) {
  if (next_is_chosen(base)) return;
  fz_stroke_text(context, base->passthrough, text, stroke, ctm, space, color, alpha, params);
}

void remove_clip(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm,
                 fz_rect scissor) {
  if (next_is_chosen(base)) return clip_all(context, base->passthrough);
  fz_clip_text(context, base->passthrough, text, ctm, scissor);
}

void remove_stroked_clip(fz_context* context, fz_device* base, const fz_text* text,
                         const fz_stroke_state* stroke, fz_matrix ctm, fz_rect scissor) {
  if (next_is_chosen(base)) return clip_all(context, base->passthrough);
  fz_clip_stroke_text(context, base->passthrough, text, stroke, ctm, scissor);
}

void remove_ignored(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm) {
  if (!next_is_chosen(base)) fz_ignore_text(context, base->passthrough, text, ctm);
}

void sort_text(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm) {
  const float black = 0;
  fz_device* target = filter_of(base)->targets[next_is_chosen(base) ? 1 : 0];
  fz_fill_text(context, target, text, ctm, fz_device_gray(context), &black, 1,
               fz_default_color_params);
}

void sort_filled(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm,
                 fz_colorspace* /*space*/, const float* /*color*/, float /*alpha*/,
                 fz_color_params /*params*/) {
  sort_text(context, base, text, ctm);
}

void sort_stroked(fz_context* context, fz_device* base, const fz_text* text,
                  const fz_stroke_state* /*stroke*/, fz_matrix ctm, fz_colorspace* /*space*/,
                  const float* /*color*/, float /*alpha*/, fz_color_params /*params*/) {
  sort_text(context, base, text, ctm);
}

void sort_clip(fz_context* context, fz_device* base, const fz_text* text, fz_matrix ctm,
               fz_rect /*scissor*/) {
  sort_text(context, base, text, ctm);
}

void sort_stroked_clip(fz_context* context, fz_device* base, const fz_text* text,
                       const fz_stroke_state* /*stroke*/, fz_matrix ctm, fz_rect /*scissor*/) {
  sort_text(context, base, text, ctm);
}

}  // namespace

fz_device* new_text_remover(fz_context* context, fz_device* target, ChosenTexts chosen) {
  auto* device = reinterpret_cast<FilterDevice*>(
      fz_new_passthrough_device_of_size(context, target, sizeof(FilterDevice)));
  device->chosen = chosen;
  device->texts = 0;
  device->base.fill_text = remove_filled;
  device->base.stroke_text = remove_stroked;
  device->base.clip_text = remove_clip;
  device->base.clip_stroke_text = remove_stroked_clip;
  device->base.ignore_text = remove_ignored;
  return &device->base;
}

fz_device* new_glyph_sorter(fz_context* context, fz_device* chosen_target, fz_device* other_target,
                            ChosenTexts chosen) {
  auto* device =
      reinterpret_cast<FilterDevice*>(fz_new_device_of_size(context, sizeof(FilterDevice)));
  device->chosen = chosen;
  device->texts = 0;
  device->targets[0] = other_target;
  device->targets[1] = chosen_target;
  device->base.fill_text = sort_filled;
  device->base.stroke_text = sort_stroked;
  device->base.clip_text = sort_clip;
  device->base.clip_stroke_text = sort_stroked_clip;
  device->base.ignore_text = sort_text;
  return &device->base;
}

}  // namespace fineprint::pdf
