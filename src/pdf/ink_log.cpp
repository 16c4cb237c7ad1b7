// MuPDF may leave what adds to the log by longjmp, so it holds only plain data.
#include "pdf/ink_log.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pdf {
namespace {

constexpr int kInkChunk = 64;
constexpr int kMostPaints = 50'000;
constexpr int kMostRuns = 200'000;
// Paints that are looked at below a run. A map has thousands that are nowhere near.
constexpr int kMostBelow = 4096;
// Comparisons of runs with paints on one page. A page of tens of thousands of both, which nobody
// draws without intent, is drawn instead.
constexpr std::int64_t kMostSteps = 20'000'000;
constexpr float kLikeness = 0.1F;  // of two colours, in each channel

template <class T>
void make_room(fz_context* context, T*& items, int count, int& capacity) {
  if (count < capacity) return;
  const int more = std::max(64, capacity * 2);
  items = static_cast<T*>(fz_realloc(context, items, sizeof(T) * static_cast<std::size_t>(more)));
  capacity = more;
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

}  // namespace

fz_rect hull_of(fz_rect a, fz_rect b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

InkLog::~InkLog() {
  fz_free(context, paints);
  fz_free(context, runs);
  fz_free(context, chunks);
}

void InkLog::add_paint(fz_rect seen, InkPaint::Kind kind, const float* rgb) {
  const bool counts = seen.x1 - seen.x0 >= kLeastPaint && seen.y1 - seen.y0 >= kLeastPaint;
  if (!counts || paint_count >= kMostPaints) return;
  make_room(context, paints, paint_count, paint_capacity);
  const int chunk = paint_count / kInkChunk;
  if (chunk == chunk_count) {
    make_room(context, chunks, chunk_count, chunk_capacity);
    chunks[chunk_count++] = seen;
  }
  chunks[chunk] = hull_of(chunks[chunk], seen);
  InkPaint& paint = paints[paint_count++];
  paint.box = seen;
  paint.kind = kind;
  for (int i = 0; i < 3; ++i) paint.rgb[i] = rgb == nullptr ? 1 : rgb[i];
}

void InkLog::add_run(InkRun run, const float* rgb) {
  if (fz_is_empty_rect(run.box) || run_count >= kMostRuns) return;
  if (rgb != nullptr && is_pale(run, rgb)) run.doubts |= kPale;
  run.paints = static_cast<std::uint32_t>(paint_count);
  make_room(context, runs, run_count, run_capacity);
  runs[run_count++] = run;
}

// Returns whether the colour is about that of what was painted at the run before.
bool InkLog::is_pale(const InkRun& run, const float* rgb) {
  constexpr float kPaper[3] = {1, 1, 1};
  int looked = 0;
  for (int i = paint_count - 1; i >= 0 && looked < kMostBelow; --i) {
    if (++steps > kMostSteps) return true;  // not known, so drawing must decide
    const int chunk = i / kInkChunk;
    if (!meet(chunks[chunk], run.box)) {
      i = chunk * kInkChunk;
      continue;
    }
    ++looked;
    const InkPaint& paint = paints[i];
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

}  // namespace fineprint::pdf
