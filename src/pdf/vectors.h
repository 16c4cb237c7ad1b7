// A MuPDF device that records where rules, pictures and drawings are while text passes through.
#pragma once

#include <vector>

#include "fineprint/core/geometry.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// A growing array in MuPDF's memory. It is filled in device calls, where a C++ exception must not
// be thrown.
struct BoxArray {
  fz_rect* items;
  int count;
  int capacity;
};

// Everything on a page except text.
struct Vectors {
  explicit Vectors(fz_context* context_of) : context(context_of) {}
  ~Vectors();
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  fz_context* context;
  BoxArray rules{};
  BoxArray images{};
  BoxArray drawings{};
  BoxArray squares{};  // outlines of the size of a box to tick
};

// Returns a device that fills `vectors` and passes text and clips on to `text_device`. `page` is
// the visible area. The device keeps its own reference to `text_device`, and closing it closes
// both. Throws as MuPDF does, so call it inside `guarded`.
fz_device* new_vectors_device(fz_context* context, fz_device* text_device, Vectors* vectors,
                              fz_rect page);

// Copies the boxes into C++ memory.
std::vector<Box> to_boxes(const BoxArray& array);

}  // namespace fineprint::pdf
