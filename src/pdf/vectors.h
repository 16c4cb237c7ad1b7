// A MuPDF device that notes where lines, pictures and drawings are while text passes through it.
#pragma once

#include <vector>

#include "fineprint/core/geometry.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// A growing array in MuPDF's memory: it is filled inside device calls, where a C++ exception must
// not be thrown.
struct BoxArray {
  fz_rect* items;
  int count;
  int capacity;
};

// What was drawn on a page apart from text.
struct Vectors {
  explicit Vectors(fz_context* context_of) : context(context_of) {}
  ~Vectors();
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  fz_context* context;
  BoxArray rules{};
  BoxArray images{};
  BoxArray drawings{};
};

// A device that fills `vectors` and passes text and clips on to `text_device`: it keeps a reference
// of its own to that, and closing it closes both. Throws as MuPDF does: call it inside `guarded`.
fz_device* new_vectors_device(fz_context* context, fz_device* text_device, Vectors* vectors,
                              fz_rect page);

std::vector<Box> to_boxes(const BoxArray& array);

}  // namespace fineprint::pdf
