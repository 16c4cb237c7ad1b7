// MuPDF may leave these functions by longjmp, so they hold only plain data.
#include "pdf/ink_text.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pdf {
namespace {

constexpr float kLeastAlpha = 0.15F;  // of text that can be seen
constexpr float kTinySize = 1;        // points

// A text on its way into the log.
struct TextWalk {
  InkLog* log;
  InkRun run;
  const float* rgb;  // null: not painted
  fz_point last;     // origin of the last glyph
};

void end_run(TextWalk* walk) {
  const InkRun run = walk->run;
  walk->run.box = fz_empty_rect;
  walk->log->add_run(run, walk->rgb);
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

void add_span(TextWalk* walk, const fz_text_span& span, fz_matrix ctm) {
  fz_matrix place = span.trm;
  place.e = place.f = 0;
  place = fz_concat(place, {ctm.a, ctm.b, ctm.c, ctm.d, 0, 0});
  const fz_point right = {place.a, place.b}, up = {place.c, place.d};
  const std::uint8_t doubts = walk->run.doubts;
  walk->run.size = fz_matrix_expansion(place);
  if (is_tiny(walk->log->context, span, place)) walk->run.doubts |= kTiny;
  for (int i = 0; i < span.len; ++i) {
    const fz_text_item& item = span.items[i];
    if (item.ucs == ' ' || item.gid < 0) continue;
    const fz_point at = fz_transform_point_xy(item.x, item.y, ctm);
    if (starts_run(*walk, at, right, up)) end_run(walk);
    add_glyph(walk, at, item.adv > 0 && item.adv < 4 ? item.adv : 0.5F, right, up);
  }
  end_run(walk);
  walk->run.doubts = doubts;
}

}  // namespace

void log_text(InkLog* log, const fz_text* text, fz_matrix ctm, const TextInk& ink) {
  TextWalk walk = {};
  walk.log = log;
  walk.rgb = ink.rgb;
  walk.run.box = fz_empty_rect;
  walk.run.text = ++log->texts;
  if (ink.rgb == nullptr || ink.alpha <= 0) walk.run.doubts |= kUnpainted;
  if (ink.rgb != nullptr && ink.alpha > 0 && ink.alpha < kLeastAlpha) walk.run.doubts |= kPale;
  if (ink.odd) walk.run.doubts |= kOdd;
  for (const fz_text_span* span = text->head; span != nullptr; span = span->next) {
    add_span(&walk, *span, ctm);
  }
}

}  // namespace fineprint::pdf
