// Finds the scale and the currency of a passage's figures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fineprint/evidence/execution.h"

namespace fineprint::evidence {

// The scale and the currency of a figure.
struct Measure {
  models::QaScale scale = models::QaScale::none;
  std::string currency;     // "$"; empty: not stated
  std::string things = {};  // of a measure that is no money: "cubic metres"
};

// Returns the scale stated directly after the number that ends at byte `end`: "million", "%".
std::optional<models::QaScale> scale_behind(std::string_view text, std::size_t end);

// Returns what the passage states about a figure in it, or nullopt if it states nothing. For a
// cell, looks in the cell, in the head of its row, in its column above, in other heads, and in the
// context; for a number in a text, next to it.
std::optional<Measure> measure_of(const models::QaPassage& passage, const Place& place);

// Returns 1e6 for a million, 0.01 for per cent.
double factor(models::QaScale scale);

}  // namespace fineprint::evidence
