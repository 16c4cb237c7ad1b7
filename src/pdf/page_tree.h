// The tree of a PDF's pages, which may say another number of them than it has.
#pragma once

#include "pdf/guard.h"

namespace fineprint::pdf {

// Counts the pages that a PDF's tree leads to and, where the tree names another number, puts that
// one in its place, in memory: MuPDF reads as many pages as are named. A tree of which a part is
// missing keeps the number it names if that is the higher one, so that the missing pages are told
// of. Does nothing to other documents and to trees of more than 2^17 pages; does not throw.
void mend_page_count(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
