// What a page paints, in order, and which of its texts may leave no ink.
#pragma once

#include <cstdint>

#include <mupdf/fitz.h>

namespace fineprint::pdf {

// Why a run of text may leave no ink. A run may have several reasons.
enum InkDoubt : std::uint8_t {
  kUnpainted = 1,      // invisible or transparent; with kOdd: only a clip for something else
  kPale = 2,           // in about the colour of its ground
  kOdd = 4,            // under a clip that is no rectangle, under a mask, or blended
  kCovered = 8,        // something is painted over it
  kUnderPicture = 16,  // a picture is painted over it
  kTiny = 32,          // too small to read
};

constexpr float kLeastPaint = 2;  // points; smaller paints hide no text that can be read

// Returns the smallest rectangle around both, of which either may have no area.
fz_rect hull_of(fz_rect a, fz_rect b);

// A shape or picture that was painted.
struct InkPaint {
  enum Kind : std::uint8_t { solid, shape, picture };  // solid: an opaque rectangle
  fz_rect box;
  float rgb[3];
  Kind kind;
};

// A piece of text on one line.
struct InkRun {
  fz_rect box;
  float size;            // of its font, in points
  std::uint32_t text;    // number of the device call, from 1
  std::uint32_t paints;  // number of paints before it
  std::uint8_t doubts;   // InkDoubt
};

// What was painted on a page, in order. In MuPDF's memory, because it grows in device calls.
struct InkLog {
  explicit InkLog(fz_context* context_of) : context(context_of) {}
  ~InkLog();
  InkLog(const InkLog&) = delete;
  InkLog& operator=(const InkLog&) = delete;

  // Adds what was painted in `seen`, the visible part of its box, unless it is too small to hide
  // text. `rgb` is null if it has no single colour. Throws as MuPDF does, as add_run does.
  void add_paint(fz_rect seen, InkPaint::Kind kind, const float* rgb);

  // Adds a run of text unless its box is empty, with the doubts that earlier paints give. `rgb` is
  // null if it is not painted.
  void add_run(InkRun run, const float* rgb);

  // Adds the doubts that only later paints can show. Call it after the page.
  void look_for_covers();

  fz_context* context;
  InkPaint* paints = nullptr;
  InkRun* runs = nullptr;
  fz_rect* chunks = nullptr;  // around each kInkChunk paints
  int paint_count = 0, paint_capacity = 0;
  int run_count = 0, run_capacity = 0;
  int chunk_count = 0, chunk_capacity = 0;
  std::uint32_t texts = 0;
  std::int64_t steps = 0;  // comparisons of runs with paints

 private:
  bool is_pale(const InkRun& run, const float* rgb);
};

}  // namespace fineprint::pdf
