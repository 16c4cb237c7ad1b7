// Keeps MuPDF's longjmp within one frame, and frees what MuPDF allocates.
#pragma once

#include <string>

#include <mupdf/fitz.h>

#include "fineprint/core/error.h"

namespace fineprint::pdf {

// MuPDF's error code and message. Plain data, because it is written after a longjmp.
struct Failure {
  int code = FZ_ERROR_NONE;
  char message[256] = "";
  explicit operator bool() const { return code != FZ_ERROR_NONE; }
};

// Copies the error that MuPDF has just thrown. Call it only in fz_catch.
void note_failure(fz_context* context, Failure* failure);

// Runs `body` and returns MuPDF's error, if any. Any MuPDF call in `body` may leave it by longjmp,
// so `body` must hold no object with a destructor and must return results through captured
// references. Never inlined, so that the caller's variables are in memory and not in registers,
// which longjmp would restore.
template <class Body>
[[gnu::noinline]] Failure guarded(fz_context* context, const Body& body) {
  Failure failure;
  fz_try(context) { body(); }
  fz_catch(context) { note_failure(context, &failure); }
  return failure;
}

// Returns whether MuPDF's message contains `words`.
bool says(const Failure& failure, const char* words);

// Returns the Error for a failure. `what` names the file and page.
Error error_of(const Failure& failure, const std::string& what);

// Drops a reference to a MuPDF object at the end of the scope. Dropping never throws.
template <class T, void (*Drop)(fz_context*, T*)>
struct Owned {
  explicit Owned(fz_context* context_of) : context(context_of) {}
  ~Owned() {
    if (pointer != nullptr) Drop(context, pointer);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  fz_context* context;
  T* pointer = nullptr;
};

using OwnedDocument = Owned<fz_document, fz_drop_document>;
using OwnedPage = Owned<fz_page, fz_drop_page>;
using OwnedDevice = Owned<fz_device, fz_drop_device>;
using OwnedTextPage = Owned<fz_stext_page, fz_drop_stext_page>;
using OwnedPixmap = Owned<fz_pixmap, fz_drop_pixmap>;
using OwnedDisplayList = Owned<fz_display_list, fz_drop_display_list>;
using OwnedOutline = Owned<fz_outline, fz_drop_outline>;

// Returns a new context that prints nothing. Throws Error(internal) if the loaded library is not
// the version that this program was compiled for.
fz_context* new_context();

}  // namespace fineprint::pdf
