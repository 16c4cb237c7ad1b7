// Kinds that questions are told apart by: their type, their document's, where the evidence stands.
#pragma once

#include <string>
#include <vector>

#include "report/entries.h"

namespace fineprint::report {

struct Facet {
  std::string name;   // "type", in the address of the page
  std::string label;  // "Question type", for people
};

// Those that some question tells, in a fixed order.
std::vector<Facet> facets_of(const std::vector<Entry>& entries);

// What a question has of a facet, sorted and each once; {"(none)"} where it has nothing of it.
std::vector<std::string> facet_values(const Entry& entry, const Facet& facet);

}  // namespace fineprint::report
