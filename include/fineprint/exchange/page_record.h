// Describes a page as a record: its text, and its elements with boxes and cells.
#pragma once

#include "fineprint/core/document.h"
#include "fineprint/core/json_fwd.h"
#include "fineprint/core/records.h"

namespace fineprint::exchange {

// Returns "heading", "paragraph", "list_item", "table", "figure", "caption" or "furniture".
const char* element_name(ElementKind kind);

// Returns {"doc", "page", "label", "width", "height", "source", "language", "problem", "text",
// "elements"}.
Json describe(const PageRef& ref, const Page& page);

// Returns [x0, y0, x1, y1] in points.
Json describe(const Box& box);

}  // namespace fineprint::exchange
