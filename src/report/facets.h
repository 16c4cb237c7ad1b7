// Properties that divide questions into groups, for example the type of the question or of its
// document, or where the evidence is.
#pragma once

#include <string>
#include <vector>

#include "report/entries.h"

namespace fineprint::report {

struct Facet {
  std::string name;   // "type", in the address of the page
  std::string label;  // "Question type", for people
};

// Returns the facets that at least one question has, in a fixed order.
std::vector<Facet> facets_of(const std::vector<Entry>& entries);

// Returns the question's values of a facet, sorted and without duplicates; {"(none)"} if it has
// none.
std::vector<std::string> facet_values(const Entry& entry, const Facet& facet);

}  // namespace fineprint::report
