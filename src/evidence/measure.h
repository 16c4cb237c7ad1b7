// In what a passage's figures are measured.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fineprint/evidence/execution.h"

namespace fineprint::evidence {

struct Measure {
  models::ReaderScale scale = models::ReaderScale::none;
  std::string currency;  // "$"; empty: not said
};

// What is said right behind the number that ends at byte `end`: "million", "%".
std::optional<models::ReaderScale> scale_behind(std::string_view text, std::size_t end);

// What the passage says of a figure in it; nullopt: nothing. Of a cell: in the cell, in the head of
// its row, in its column above, in other heads, in the context; of a number in a text: beside it.
std::optional<Measure> measure_of(const models::ReaderPassage& passage, const Place& place);

// 1e6 for a million, 0.01 for per cent.
double factor(models::ReaderScale scale);

}  // namespace fineprint::evidence
