// How a document itself leads to its pages: bookmarks, and labels of pages.
#pragma once

#include <vector>

#include "fineprint/core/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// The bookmarks, depth first; empty when there is none or it is damaged, which is no reason to
// refuse a document.
std::vector<OutlineEntry> read_outline(fz_context* context, fz_document* document);

// Whether the file has labels of pages ("iv", "A-3") that can be looked up. MuPDF may throw.
bool has_labels(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
