// What verify() and repair() look at. Each check appends one line for everything that is damaged.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "store/catalog.h"
#include "store/postings.h"
#include "store/segments.h"

namespace fineprint::store {

// What SQLite finds in its own structure, and numbers that would be given away twice: nothing can
// be mended of these.
void check_structure(Database& database, std::vector<std::string>* problems);
// Rows that belong to no document but those of segments.
void check_settings(Database& database, std::vector<std::string>* problems);
// The rows, pages and chunks of a document.
void check_document(Database& database, const DocumentRow& row, std::vector<std::string>* problems);
// Why a segment of vectors cannot be used as it was written; empty when it can.
std::string fault_of_segment(SegmentMaps& maps, const SetRow& set, const SegmentRow& segment);

// What of the keyword index is damaged.
struct DamagedPostings {
  std::set<std::int64_t> documents;  // those of which a part is damaged, or gone
  std::set<std::int64_t> pending;    // those of which what waits to be joined is damaged
  std::set<std::int64_t> segments;
};
DamagedPostings damaged_postings(Database& database, PostingsFiles& files);

}  // namespace fineprint::store
