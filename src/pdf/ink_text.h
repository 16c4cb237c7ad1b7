// Cuts texts that a page draws into runs on one line, for the log of its ink.
#pragma once

#include <mupdf/fitz.h>

#include "pdf/ink_log.h"

namespace fineprint::pdf {

// How a text is drawn.
struct TextInk {
  const float* rgb;  // null: not painted
  float alpha;
  bool odd;  // under a clip or mask that hides or changes it in ways not followed
};

// Logs a text, with the next number. Throws as MuPDF does.
void log_text(InkLog* log, const fz_text* text, fz_matrix ctm, const TextInk& ink);

}  // namespace fineprint::pdf
