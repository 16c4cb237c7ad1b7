// A document's bookmarks.
#pragma once

#include <vector>

#include "fineprint/core/document.h"

#include "pdf/guard.h"

namespace fineprint::pdf {

// Depth first; empty when there is none or it is damaged, which is no reason to refuse a document.
std::vector<OutlineEntry> read_outline(fz_context* context, fz_document* document);

}  // namespace fineprint::pdf
