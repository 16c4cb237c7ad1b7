// Finds labels and their values, as in forms, fact sheets and invoices.
#pragma once

#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/text/page_parts.h"

namespace fineprint::text {

// A label and its value: "Skipper: Ines Farrow". The two are next to each other in reading order;
// a label below its value, in parentheses, comes after it.
struct LabelPair {
  WordRun label;
  WordRun value;
  bool operator==(const LabelPair&) const = default;

  // Returns the words of both, and of what may be between them (leader dots).
  WordRun all() const {
    return {std::min(label.first, value.first), std::max(label.end, value.end)};
  }
};

// Returns the pairs of a page in reading order, without overlaps. A value is
// - after a label that ends with a colon,
// - in the second of two columns (the fourth of four) whose first holds labels; not if the columns
//   have a header, and not if all values are numbers, because that is a table of numbers,
// - below a label that differs from it in size, weight or indent, if several such pairs follow,
// - above a label in parentheses: "(State of incorporation)",
// - the number after "No." or the like: "Invoice No. 4711",
// - at the right end of the last rows of a table, with the label of the sum before it,
// - in the cell after its label, in a form whose file states its cells.
std::vector<LabelPair> label_pairs(const Page& page);

// The labels of a page in reading order.
struct PageLabels {
  std::vector<LabelPair> pairs;  // those of label_pairs()
  std::vector<WordRun> empty;    // labels of a form in which nothing was entered
};

// Returns the labels with a value and those without. A label without a value ends with a colon or
// begins where the labels of pairs do, and is between them.
PageLabels page_labels(const Page& page);

// Returns whether an element is a table whose stated cells are labels and their values.
bool is_form(const Page& page, const Element& element);

}  // namespace fineprint::text
