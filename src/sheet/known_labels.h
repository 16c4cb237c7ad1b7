// What business documents print before common values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/sheet/column.h"

namespace fineprint::sheet {

// A row of configs/labels.toml.
struct KnownField {
  std::string name;
  ColumnType type = ColumnType::text;
  std::vector<std::string> labels;  // the surest first
};

// Returns the field that a column's name means: its own name, or one of its labels of several words
// or nine letters, also as a question ("What is the due date?"). Returns nullptr if there is none.
// Thread-safe.
const KnownField* known_field(std::string_view name);

// Gives the column what the field that its name means has, in place of what it lacks: labels, and
// the type if `typeless`. A column whose name is not the field's own is printed by that name first.
void complete_column(bool typeless, Column* column);

}  // namespace fineprint::sheet
