// Counts texts and cuts the one that exceeds the limit. MuPDF calls these functions and may leave
// them by longjmp, so they hold only plain data.
#include "pdf/text_limit.h"

#include <algorithm>
#include <cstring>

namespace fineprint::pdf {
namespace {

// A device of MuPDF with one more field. `base` must come first.
struct LimitDevice {
  fz_device base;
  TextLimit* limit;
};

TextLimit* limit_of(fz_device* device) { return reinterpret_cast<LimitDevice*>(device)->limit; }

std::int64_t items_of(const fz_text* text) {
  std::int64_t count = 0;
  for (const fz_text_span* span = text->head; span != nullptr; span = span->next) {
    count += span->len;
  }
  return count;
}

// Appends the first `count` items of a span to `copy`.
void copy_span(fz_context* context, const fz_text_span& span, int count, fz_text* copy) {
  fz_matrix place = span.trm;
  for (int i = 0; i < count; ++i) {
    const fz_text_item& item = span.items[i];
    place.e = item.x;
    place.f = item.y;
    fz_show_glyph_aux(context, copy, span.font, place, item.adv, item.gid, item.ucs, item.cid,
                      static_cast<int>(span.wmode), static_cast<int>(span.bidi_level),
                      static_cast<fz_bidi_direction>(span.markup_dir),
                      static_cast<fz_text_language>(span.language));
  }
}

void copy_beginning(fz_context* context, const fz_text* text, std::int64_t count, fz_text* copy) {
  for (const fz_text_span* span = text->head; span != nullptr && count > 0; span = span->next) {
    const auto taken = static_cast<int>(std::min<std::int64_t>(span->len, count));
    copy_span(context, *span, taken, copy);
    count -= taken;
  }
}

// Returns a new text with the first `count` items of `text`.
fz_text* beginning_of(fz_context* context, const fz_text* text, std::int64_t count) {
  fz_text* copy = fz_new_text(context);
  fz_try(context) { copy_beginning(context, text, count, copy); }
  fz_catch(context) {
    fz_drop_text(context, copy);
    fz_rethrow(context);
  }
  return copy;
}

// Returns the part of `text` that may pass. It may be empty, but must be passed on all the same,
// because clipping by nothing hides what follows. The caller drops it.
fz_text* take(fz_context* context, fz_device* device, const fz_text* text) {
  TextLimit* limit = limit_of(device);
  const std::int64_t count = items_of(text);
  const std::int64_t taken = std::min(count, limit->left);
  limit->left -= taken;
  if (taken == count) return fz_keep_text(context, text);
  limit->cookie.abort = 1;
  return beginning_of(context, text, taken);
}

// Each of the functions below passes on as much text as is allowed.
void fill_text(fz_context* context, fz_device* device, const fz_text* text, fz_matrix ctm,
               fz_colorspace* space, const float* color, float alpha, fz_color_params params) {
  fz_text* passed = take(context, device, text);
  fz_try(context) {
    fz_fill_text(context, device->passthrough, passed, ctm, space, color, alpha, params);
  }
  fz_always(context) { fz_drop_text(context, passed); }
  fz_catch(context) { fz_rethrow(context); }
}

void stroke_text(fz_context* context, fz_device* device, const fz_text* text,
                 const fz_stroke_state* stroke, fz_matrix ctm, fz_colorspace* space,
                 const float* color, float alpha, fz_color_params params) {
  fz_text* passed = take(context, device, text);
  fz_try(context) {
    fz_stroke_text(context, device->passthrough, passed, stroke, ctm, space, color, alpha, params);
  }
  fz_always(context) { fz_drop_text(context, passed); }
  fz_catch(context) { fz_rethrow(context); }
}

void clip_text(fz_context* context, fz_device* device, const fz_text* text, fz_matrix ctm,
               fz_rect scissor) {
  fz_text* passed = take(context, device, text);
  fz_try(context) { fz_clip_text(context, device->passthrough, passed, ctm, scissor); }
  fz_always(context) { fz_drop_text(context, passed); }
  fz_catch(context) { fz_rethrow(context); }
}

void clip_stroke_text(fz_context* context, fz_device* device, const fz_text* text,
                      const fz_stroke_state* stroke, fz_matrix ctm, fz_rect scissor) {
  fz_text* passed = take(context, device, text);
  fz_try(context) {
    fz_clip_stroke_text(context, device->passthrough, passed, stroke, ctm, scissor);
  }
  fz_always(context) { fz_drop_text(context, passed); }
  fz_catch(context) { fz_rethrow(context); }
}

void ignore_text(fz_context* context, fz_device* device, const fz_text* text, fz_matrix ctm) {
  fz_text* passed = take(context, device, text);
  fz_try(context) { fz_ignore_text(context, device->passthrough, passed, ctm); }
  fz_always(context) { fz_drop_text(context, passed); }
  fz_catch(context) { fz_rethrow(context); }
}

// A replacement text ("ActualText") may be as long as the file likes.
void begin_metatext(fz_context* context, fz_device* device, fz_metatext kind, const char* text) {
  TextLimit* limit = limit_of(device);
  const auto length = text != nullptr ? static_cast<std::int64_t>(std::strlen(text)) : 0;
  const bool fits = length <= limit->left;
  if (fits) limit->left -= length;
  if (!fits) limit->cookie.abort = 1;
  fz_begin_metatext(context, device->passthrough, kind, fits ? text : "");
}

}  // namespace

fz_device* new_text_limit_device(fz_context* context, fz_device* target, TextLimit* limit) {
  auto* device = reinterpret_cast<LimitDevice*>(
      fz_new_passthrough_device_of_size(context, target, sizeof(LimitDevice)));
  device->limit = limit;
  device->base.fill_text = fill_text;
  device->base.stroke_text = stroke_text;
  device->base.clip_text = clip_text;
  device->base.clip_stroke_text = clip_stroke_text;
  device->base.ignore_text = ignore_text;
  device->base.begin_metatext = begin_metatext;
  return &device->base;
}

}  // namespace fineprint::pdf
