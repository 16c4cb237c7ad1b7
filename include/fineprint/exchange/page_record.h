// A page as a record: its text, and its elements with boxes and cells.
#pragma once

#include "fineprint/core/document.h"
#include "fineprint/core/json_fwd.h"
#include "fineprint/core/records.h"

namespace fineprint::exchange {

// "heading", "paragraph", "list_item", "table", "figure", "caption", "furniture".
const char* element_name(ElementKind kind);

// {"doc", "page", "label", "width", "height", "source", "language", "problem", "text", "elements"}
Json describe(const PageRef& ref, const Page& page);

// Boxes as [x0, y0, x1, y1] in points.
Json describe(const Box& box);

}  // namespace fineprint::exchange
