// Corrects the page count of a PDF, which may differ from the pages that its tree has.
#pragma once

#include "pdf/guard.h"

namespace fineprint::pdf {

// Counts the pages that the page tree leads to. If the tree gives another number, corrects it in
// memory, because MuPDF reads as many pages as the tree says. If a part of the tree is missing and
// its own number is higher, that number stays, so that the missing pages are reported. Does nothing
// to other documents and to trees of more than 2^17 pages. Does not throw.
void mend_page_count(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
