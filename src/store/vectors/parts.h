// Maps units of a document to rows of a segment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/sqlite.h"

namespace fineprint::store {

// Rows [first_row, first_row + rows) of a segment belong to units [first_unit, first_unit + units).
struct VectorPart {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::int64_t segment = 0;
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::vector<std::uint32_t> rows_of_unit;  // empty: one row for each unit

  std::uint64_t end_unit() const { return std::uint64_t{first_unit} + units; }
};

// Returns the first row of each unit, counted from the first row of the part, and then the end;
// [units + 1]. Returns nullopt if `rows_of_unit` does not match `units` and `rows`.
std::optional<std::vector<std::uint32_t>> first_rows(const VectorPart& part);

// Returns true if the part is inside a segment of `rows` rows.
inline bool lies_in(const VectorPart& part, std::size_t rows) {
  return part.rows <= rows && part.first_row <= rows - part.rows;
}

// Joins neighbours whose units and rows are consecutive.
std::vector<VectorPart> merged(const std::vector<VectorPart>& parts);

// Returns the parts of one set, ordered by document and unit. If a row's checksum or packed counts
// are wrong, its counts are set so that first_rows() returns nullopt.
std::vector<VectorPart> read_parts(Database& database, std::int64_t set);
// Inserts a part and removes all parts of the same document that it overlaps.
void insert_part(Database& database, std::int64_t set, const VectorPart& part);

// Names the documents with vectors in a segment: for example "a.pdf, b.pdf and 7 more".
std::string owners_of(Database& database, std::int64_t segment);

}  // namespace fineprint::store
