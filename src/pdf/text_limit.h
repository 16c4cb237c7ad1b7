// A MuPDF device that stops a page when its text exceeds a limit.
#pragma once

#include <cstdint>

#include "pdf/guard.h"

namespace fineprint::pdf {

// Shared between the device and its caller.
struct TextLimit {
  std::int64_t left = 0;  // characters that may still pass
  fz_cookie cookie{};     // for fz_run_page; stops it once the limit is reached
  bool met() const { return cookie.abort != 0; }
};

// Returns a device that passes everything on to `target`, but only as much text as `limit` has
// left. A file of 50 kB can draw 15 million characters, and MuPDF's text page takes 80 bytes for
// each. `limit` must outlive the device. The device keeps its own reference to `target`, and
// closing it closes both. Throws as MuPDF does, so call it inside `guarded`.
fz_device* new_text_limit_device(fz_context* context, fz_device* target, TextLimit* limit);

}  // namespace fineprint::pdf
