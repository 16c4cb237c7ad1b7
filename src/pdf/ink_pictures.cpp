// Draws the part of a page that holds its doubtful words.
#include "pdf/ink_pictures.h"

#include <algorithm>
#include <cmath>

#include "pdf/ink_watch.h"
#include "pdf/text_filter.h"

namespace fineprint::pdf {
namespace {

// The part of a page that is looked at for ink, and its scale to pixels.
struct InkView {
  fz_rect bounds;  // of the page, in points
  fz_matrix scale;
  fz_irect area;  // in pixels
};

// Returns the view of the doubtful words at a resolution at which print of 6 points is 8 pixels
// high, or lower if that takes too many pixels.
InkView view_of_doubts(const RawPage& page, fz_rect bounds) {
  constexpr float kInkViewDpi = 100;
  constexpr float kMostInkPixels = 8e6F;
  constexpr float kMargin = 2;
  Box around;
  for (const DoubtfulWord& doubt : page.doubts) around = united(around, page.words[doubt.word].box);
  around = {around.x0 - kMargin, around.y0 - kMargin, around.x1 + kMargin, around.y1 + kMargin};
  around = intersected(around, {0, 0, page.width_pt, page.height_pt});
  const float scale =
      std::min(kInkViewDpi / 72, std::sqrt(kMostInkPixels / std::max(1.0F, around.area())));
  const fz_matrix matrix = fz_concat(fz_translate(-bounds.x0, -bounds.y0), fz_scale(scale, scale));
  const fz_rect box = {around.x0 * scale, around.y0 * scale, around.x1 * scale, around.y1 * scale};
  return {bounds, matrix, fz_round_rect(box)};
}

// Draws the page, without the chosen texts if there are any. Recorded first, because the text
// remover must count the texts as they were counted when the page was read.
void draw_ink(fz_context* context, fz_page* page, const InkView& view, ChosenTexts removed,
              OwnedPixmap* pixmap) {
  fz_display_list* list = nullptr;
  fz_device* recorder = nullptr;
  fz_device* remover = nullptr;
  fz_device* canvas = nullptr;
  fz_var(list);
  fz_var(recorder);
  fz_var(remover);
  fz_var(canvas);
  fz_try(context) {
    list = fz_new_display_list(context, view.bounds);
    recorder = fz_new_list_device(context, list);
    remover = new_text_remover(context, recorder, removed);
    run_all(context, page, remover, fz_identity, nullptr);
    fz_close_device(context, remover);
    pixmap->pointer =
        fz_new_pixmap_with_bbox(context, fz_device_rgb(context), view.area, nullptr, 0);
    fz_clear_pixmap_with_value(context, pixmap->pointer, 0xFF);
    canvas = fz_new_draw_device(context, fz_identity, pixmap->pointer);
    fz_run_display_list(context, list, canvas, view.scale, fz_rect_from_irect(view.area), nullptr);
    fz_close_device(context, canvas);
  }
  fz_always(context) {
    fz_drop_device(context, canvas);
    fz_drop_device(context, remover);
    fz_drop_device(context, recorder);
    fz_drop_display_list(context, list);
  }
  fz_catch(context) { fz_rethrow(context); }
}

// Draws the glyphs of the chosen texts, and those of all others, in black.
Failure draw_glyphs(fz_context* context, fz_page* page, const InkView& view, ChosenTexts chosen,
                    InkPictures* pictures) {
  OwnedDevice of_chosen(context), of_others(context), sorter(context);
  return guarded(context, [&] {
    for (OwnedPixmap* map : {&pictures->glyphs, &pictures->others}) {
      map->pointer =
          fz_new_pixmap_with_bbox(context, fz_device_gray(context), view.area, nullptr, 0);
      fz_clear_pixmap_with_value(context, map->pointer, 0xFF);
    }
    of_chosen.pointer = fz_new_draw_device(context, fz_identity, pictures->glyphs.pointer);
    of_others.pointer = fz_new_draw_device(context, fz_identity, pictures->others.pointer);
    sorter.pointer = new_glyph_sorter(context, of_chosen.pointer, of_others.pointer, chosen);
    run_all(context, page, sorter.pointer, view.scale, nullptr);
    fz_close_device(context, sorter.pointer);
    fz_close_device(context, of_chosen.pointer);
    fz_close_device(context, of_others.pointer);
  });
}

}  // namespace

// Ignores errors in annotations and form fields, because the rest of
// the page is still worth reading.
void run_all(fz_context* context, fz_page* page, fz_device* device, fz_matrix matrix,
             fz_cookie* cookie) {
  fz_run_page_contents(context, page, device, matrix, cookie);
  guarded(context, [&] { fz_run_page_annots(context, page, device, matrix, cookie); });
  guarded(context, [&] { fz_run_page_widgets(context, page, device, matrix, cookie); });
}

Failure draw_ink_pictures(fz_context* context, fz_page* source, const RawPage& page,
                          InkPictures* pictures) {
  const ChosenTexts chosen = {page.doubted_texts.data(), page.doubted_texts.size()};
  const ChosenTexts none = {nullptr, 0};
  fz_rect bounds = fz_empty_rect;
  Failure failure = guarded(context, [&] { bounds = fz_bound_page(context, source); });
  const InkView view = view_of_doubts(page, bounds);
  pictures->pixels_a_point = view.scale.a;
  // Invisible text changes nothing, so one picture is enough for most scans.
  const bool none_paints = std::ranges::all_of(
      page.doubts, [](const DoubtfulWord& doubt) { return doubt.reasons == kUnpainted; });
  if (!failure) {
    failure = guarded(context, [&] {
      draw_ink(context, source, view, chosen, &pictures->without);
      if (none_paints) {
        pictures->drawn.pointer = fz_keep_pixmap(context, pictures->without.pointer);
      } else {
        draw_ink(context, source, view, none, &pictures->drawn);
      }
    });
  }
  return failure ? failure : draw_glyphs(context, source, view, chosen, pictures);
}

}  // namespace fineprint::pdf
