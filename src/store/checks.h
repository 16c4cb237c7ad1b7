// The checks that verify() and repair() run. Each appends one line for everything that is damaged.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "store/catalog.h"
#include "store/postings/postings.h"
#include "store/vectors/segments.h"

namespace fineprint::store {

// Checks SQLite's own structure, and that no id can be used twice. repair() cannot fix such faults.
void check_structure(Database& database, std::vector<std::string>* problems);
// Checks rows that belong neither to documents nor to segments.
void check_settings(Database& database, std::vector<std::string>* problems);
// Checks the row, pages and chunks of a document.
void check_document(Database& database, const DocumentRow& row, std::vector<std::string>* problems);
// Returns why a segment of vectors is not as it was written, or an empty text if it is sound.
std::string fault_of_segment(SegmentMaps& maps, const SetRow& set, const SegmentRow& segment);

// The damaged parts of the keyword index.
struct DamagedPostings {
  std::set<std::int64_t> documents;  // documents whose postings are damaged or missing
  std::set<std::int64_t> pending;    // documents whose waiting postings are damaged
  std::set<std::int64_t> segments;   // damaged segments
};
DamagedPostings damaged_postings(Database& database, PostingsFiles& files);

}  // namespace fineprint::store
