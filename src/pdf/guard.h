// Keeps MuPDF's longjmp inside one frame, and what it allocates inside owners.
#pragma once

#include <string>

#include <mupdf/fitz.h>

#include "fineprint/core/error.h"

namespace fineprint::pdf {

// What MuPDF said when it gave up. Plain data: it is written after a longjmp.
struct Failure {
  int code = FZ_ERROR_NONE;
  char message[256] = "";
  explicit operator bool() const { return code != FZ_ERROR_NONE; }
};

void note_failure(fz_context* context, Failure* failure);

// Runs `body` and catches MuPDF's error. `body` may be left by longjmp at any MuPDF call, so it
// must hold no object with a destructor; it hands results out through captured references. Never
// inlined: a caller's variables then live in memory and not in registers that longjmp restores.
template <class Body>
[[gnu::noinline]] Failure guarded(fz_context* context, const Body& body) {
  Failure failure;
  fz_try(context) { body(); }
  fz_catch(context) { note_failure(context, &failure); }
  return failure;
}

// Whether MuPDF's message has `words` in it.
bool says(const Failure& failure, const char* words);

// The error that `failure` stands for; `what` names file and page.
Error error_of(const Failure& failure, const std::string& what);

// Drops one reference of a MuPDF object at the end of the scope; the drop never throws.
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

// A context that prints nothing. Throws Error(internal) if the library loaded is not the version
// that this program was compiled for.
fz_context* new_context();

}  // namespace fineprint::pdf
