// Reads, joins and writes the rows that map units to rows of segments.
#include "store/vectors/parts.h"

#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/catalog.h"
#include "store/row_sums.h"

namespace fineprint::store {

namespace {

std::string pack_counts(const std::vector<std::uint32_t>& counts) {
  ByteWriter out;
  for (const std::uint32_t count : counts) out.varint(count);
  return out.bytes();
}

// Replaces the counts of a damaged row. They cannot be right, so first_rows() fails later, where
// the name of the document is known for the message.
const std::vector<std::uint32_t> kImpossibleCounts = {UINT32_MAX};

std::vector<std::uint32_t> unpack_counts(std::span<const std::uint8_t> blob) {
  std::vector<std::uint32_t> out;
  try {
    for (ByteReader in(blob); !in.at_end();) out.push_back(in.varint32());
  } catch (const BlobDamage&) {
    return kImpossibleCounts;
  }
  return out;
}

std::vector<std::uint32_t> counts_of(const VectorPart& part) {
  if (!part.rows_of_unit.empty()) return part.rows_of_unit;
  return std::vector<std::uint32_t>(part.units, 1);
}

// Returns true if `b` continues `a` in units and in rows. Pages are embedded a few at a time.
// Joining such parts keeps the catalogue small.
bool follows(const VectorPart& a, const VectorPart& b) {
  return a.document == b.document && a.segment == b.segment && a.end_unit() == b.first_unit &&
         a.first_row + a.rows == b.first_row;
}

}  // namespace

// Checks the sum at every step, because it must not exceed 32 bits in a damaged row.
std::optional<std::vector<std::uint32_t>> first_rows(const VectorPart& part) {
  const bool one_a_unit = part.rows_of_unit.empty();
  if ((one_a_unit ? part.rows : part.rows_of_unit.size()) != part.units) return std::nullopt;
  std::vector<std::uint32_t> out(std::size_t{part.units} + 1);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < part.units; ++i) {
    sum += one_a_unit ? 1 : part.rows_of_unit[i];
    if (sum > part.rows) return std::nullopt;
    out[i + 1] = static_cast<std::uint32_t>(sum);
  }
  if (sum != part.rows) return std::nullopt;
  return out;
}

// Parts may come in any order of segments; only direct neighbours in the list are joined.
std::vector<VectorPart> merged(const std::vector<VectorPart>& parts) {
  std::vector<VectorPart> out;
  for (const VectorPart& part : parts) {
    if (out.empty() || !follows(out.back(), part)) {
      out.push_back(part);
      continue;
    }
    VectorPart& before = out.back();
    if (!before.rows_of_unit.empty() || !part.rows_of_unit.empty()) {
      if (before.rows_of_unit.empty()) before.rows_of_unit = counts_of(before);
      const auto more = counts_of(part);
      before.rows_of_unit.insert(before.rows_of_unit.end(), more.begin(), more.end());
    }
    before.units += part.units;
    before.rows += part.rows;
  }
  return out;
}

std::vector<VectorPart> read_parts(Database& database, std::int64_t set) {
  std::vector<VectorPart> out;
  Query rows = database.query(fineprint::format(
      "SELECT document, first_unit, units, segment, first_row, row_count, rows_of_unit, sum = {} "
      "FROM vectors WHERE vector_set = ? ORDER BY document, first_unit",
      row_sum_of("vectors")));
  rows.bind(set);
  while (rows.step()) {
    const bool sound = rows.integer(7) != 0;
    out.push_back({rows.integer(0), static_cast<std::uint32_t>(rows.integer(1)),
                   static_cast<std::uint32_t>(rows.integer(2)), rows.integer(3),
                   static_cast<std::size_t>(rows.integer(4)),
                   static_cast<std::size_t>(rows.integer(5)),
                   sound ? unpack_counts(rows.blob(6)) : kImpossibleCounts});
  }
  return out;
}

// Replaces every part that it overlaps, so that no unit has vectors twice. Other units of those
// parts count as missing then, and their vectors are made again.
void insert_part(Database& database, std::int64_t set, const VectorPart& part) {
  database
      .query(
          "DELETE FROM vectors WHERE document = ?1 AND vector_set = ?2 AND first_unit < ?4 AND "
          "first_unit + units > ?3")
      .bind(part.document)
      .bind(set)
      .bind(std::int64_t{part.first_unit})
      .bind(static_cast<std::int64_t>(part.end_unit()))
      .run();
  Query insert = database.query(
      "INSERT INTO vectors(document, vector_set, first_unit, units, segment, first_row, row_count, "
      "rows_of_unit, sum) VALUES(?1,?2,?3,?4,?5,?6,?7,?8, row_sum(?1,?2,?3,?4,?5,?6,?7,?8))");
  const std::string counts = pack_counts(part.rows_of_unit);
  insert.bind(part.document).bind(set);
  insert.bind(std::int64_t{part.first_unit}).bind(std::int64_t{part.units}).bind(part.segment);
  insert.bind(static_cast<std::int64_t>(part.first_row)).bind(static_cast<std::int64_t>(part.rows));
  if (!part.rows_of_unit.empty()) insert.bind_blob(counts);
  insert.run();
}

std::string owners_of(Database& database, std::int64_t segment) {
  Query rows = database.query(
      "SELECT DISTINCT d.doc FROM vectors v JOIN documents d ON d.id = v.document "
      "WHERE v.segment = ? ORDER BY d.doc");
  rows.bind(segment);
  return first_names(rows);
}

}  // namespace fineprint::store
