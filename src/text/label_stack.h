// Values below or above their labels.
#pragma once

#include <cstddef>
#include <vector>

#include "fineprint/text/label_pairs.h"

#include "text/label_page.h"

namespace fineprint::text {

// Adds the pairs of labels and values below them that begin in line `at`. Returns the line after
// them, or `at` if there are none.
std::size_t add_stacked(const LabelPage& on, std::size_t at, std::vector<LabelPair>* pairs);

// Adds the pair of a value in line `at` and a label in parentheses below it. Returns the line after
// it, or `at` if there is none.
std::size_t add_above_label(const LabelPage& on, std::size_t at, std::vector<LabelPair>* pairs);

}  // namespace fineprint::text
