// Which rows of which segment are the vectors of which units of a document.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/sqlite.h"

namespace fineprint::store {

// Rows [first_row, first_row + rows) of a segment: units [first_unit, first_unit + units).
struct VectorPart {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::int64_t segment = 0;
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::vector<std::uint32_t> rows_of_unit;  // empty: one a unit

  std::uint64_t end_unit() const { return std::uint64_t{first_unit} + units; }
};

// The row at which each unit begins, counted from the part's first, and the end; [units + 1].
// Nothing when `rows_of_unit` does not fit `units` and `rows`.
std::optional<std::vector<std::uint32_t>> first_rows(const VectorPart& part);

// Whether the rows are among the `rows` of their segment.
inline bool lies_in(const VectorPart& part, std::size_t rows) {
  return part.rows <= rows && part.first_row <= rows - part.rows;
}

// Joins neighbours whose units and rows follow on each other.
std::vector<VectorPart> merged(const std::vector<VectorPart>& parts);

// Of one set, by document and unit. Where the row's checksum or its packed counts are wrong,
// the counts are such that first_rows() says so.
std::vector<VectorPart> read_parts(Database& database, std::int64_t set);
// Replaces the parts of the same document that it overlaps.
void insert_part(Database& database, std::int64_t set, const VectorPart& part);

// The documents with vectors in a segment: "a.pdf, b.pdf and 7 more".
std::string owners_of(Database& database, std::int64_t segment);

}  // namespace fineprint::store
