// A MuPDF device that ends a page when its text grows past a limit.
#pragma once

#include <cstdint>

#include "pdf/guard.h"

namespace fineprint::pdf {

struct TextLimit {
  std::int64_t left = 0;  // characters
  fz_cookie cookie{};     // for fz_run_page: stops it once the limit is met
  bool met() const { return cookie.abort != 0; }
};

// A device that passes on to `target`, of text only as much as `limit` has left. A file of 50 kB
// can draw 15 million characters, which MuPDF's text page holds at 80 bytes each. `limit` outlives
// the device. Keeps a reference of its own to `target`; closing it closes both. Throws as MuPDF
// does: call it inside `guarded`.
fz_device* new_text_limit_device(fz_context* context, fz_device* target, TextLimit* limit);

}  // namespace fineprint::pdf
