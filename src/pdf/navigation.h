// Reads how a document itself leads to its pages: outline and page labels.
#pragma once

#include <vector>

#include "fineprint/core/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Returns the outline, depth first. Returns nothing if there is none or it is damaged, because that
// is no reason to refuse a document.
std::vector<OutlineEntry> read_outline(fz_context* context, fz_document* document);

// Returns whether the file has page labels ("iv", "A-3") that can be read safely. MuPDF may throw,
// so call it inside `guarded`.
bool has_labels(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
