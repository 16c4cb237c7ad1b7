// Forms whose file states their cells: each label is in the cell before its value.
#pragma once

#include <optional>

#include "fineprint/text/label_pairs.h"

namespace fineprint::text {

// Returns the labels of a table that is a form: two or four columns, every second one with labels.
// A form has labels that are set apart from their values, or values of different kinds; a table has
// a header. nullopt if the element states no cells or is another table.
std::optional<PageLabels> form_cells(const Page& page, const Element& element);

}  // namespace fineprint::text
