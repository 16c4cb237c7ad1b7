// Registers vector sets, stores vectors and reads them.
#include <algorithm>
#include <unordered_map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "store/catalog.h"
#include "store/named_files.h"
#include "store/postings/sparse.h"
#include "store/state.h"
#include "store/vectors/parts.h"

namespace fineprint::store {

namespace {

using Guard = std::lock_guard<std::mutex>;

// A set without vectors may still be redefined.
bool holds_vectors(Database& database, const SetRow& set) {
  if (is_sparse(set.set)) return !sparse_documents(database, set.set.name).empty();
  Query row = database.query("SELECT 1 FROM segments WHERE vector_set = ? LIMIT 1");
  row.bind(set.id);
  return row.step();
}

// Describes a set for people: for example "text float32 of 384 numbers, one a chunk, by the model
// mini (hash 12ab)".
std::string described(const VectorSet& set) {
  std::string out =
      fineprint::format("{} {} of {} numbers, {} for each {}, by the model {} (hash {})", set.kind,
                        to_string(set.format), set.dim, set.many_vectors ? "several" : "one",
                        unit_name(set.unit), set.model, set.hash);
  if (!set.input.empty()) out += ", " + set.input;
  if (set.pool_factor != 1) out += fineprint::format(", pooled by {}", set.pool_factor);
  return out;
}

// Name and SPEC of the model may differ: the hash identifies it.
bool comparable(const VectorSet& a, const VectorSet& b) {
  return a.kind == b.kind && a.unit == b.unit && a.many_vectors == b.many_vectors &&
         a.hash == b.hash && a.input == b.input && a.dim == b.dim && a.format == b.format &&
         a.pool_factor == b.pool_factor;
}

// Returns SQL for the number of units of each document: "SELECT id, UNITS FROM documents".
std::string unit_counts_of(VectorUnit unit) {
  switch (unit) {
    case VectorUnit::page:
      return "SELECT id, page_count FROM documents";
    case VectorUnit::chunk:
      return "SELECT id, chunk_count FROM documents";
    case VectorUnit::element:
      break;
  }
  return "SELECT id, COALESCE(element_count, 0) FROM documents LEFT JOIN document_maps ON document "
         "= id";
}

// Returns how many units of this kind the document has, or nullopt if it is gone.
std::optional<std::uint32_t> units_of(Database& database, std::int64_t document, VectorUnit unit) {
  Query row = database.query(fineprint::format("{} WHERE id = ?", unit_counts_of(unit)));
  row.bind(document);
  if (!row.step()) return std::nullopt;
  return static_cast<std::uint32_t>(row.integer(1));
}

// Returns an empty list if every unit has one row, because most sets have that and it needs no
// bytes.
std::vector<std::uint32_t> packed_counts(const NewVectors& part) {
  const auto& rows = part.rows_of_unit;
  const bool one_each =
      std::all_of(rows.begin(), rows.end(), [](auto count) { return count == 1; });
  return one_each ? std::vector<std::uint32_t>() : rows;
}

// Checks all parts before anything is written. Returns the parts whose documents still exist.
std::vector<const NewVectors*> accepted(Database& database, const VectorSet& set,
                                        std::span<const NewVectors> parts) {
  std::vector<const NewVectors*> out;
  for (const NewVectors& part : parts) {
    const auto units = units_of(database, part.document, set.unit);
    if (!units || part.units == 0) continue;
    check_consistent(part, set, read_document(database, part.document)->doc, *units);
    out.push_back(&part);
  }
  return out;
}

// One transaction makes the segment and its parts visible together. It drops page graphs of these
// documents, which were made from the vectors that are replaced.
void insert_parts(Database& database, const SetRow& set, const SegmentRow& segment,
                  std::vector<VectorPart> parts) {
  Transaction transaction(database);
  insert_segment(database, segment);
  for (VectorPart& part : parts) {
    part.segment = segment.id;
    insert_part(database, set.id, part);
    database.query("DELETE FROM page_graphs WHERE document = ? AND vector_set = ?")
        .bind(part.document)
        .bind(set.id)
        .run();
  }
  transaction.commit();
}

// Views into the mapped segment: nothing is copied but the row numbers.
VectorBlock block_of(const VectorPart& part, const SegmentView& view,
                     std::vector<std::uint32_t> first_row) {
  VectorBlock block;
  block.document = part.document;
  block.first_unit = part.first_unit;
  block.units = part.units;
  block.first_row = std::move(first_row);
  block.rows = view.rows.slice(part.first_row, part.rows);
  if (view.exact) {
    block.exact = view.exact->slice(part.first_row, part.rows);
    block.errors = view.errors.subspan(part.first_row, part.rows);
  }
  return block;
}

// Returns the segments of a set by id, without those whose files cannot be used. Only a call that
// needs their content reports the error.
using Views = std::unordered_map<std::int64_t, const SegmentView*>;
Views map_segments(Database& database, SegmentMaps& maps, const SetRow& set) {
  Views out;
  for (const SegmentRow& segment : read_segments(database, set.id)) {
    try {
      out.emplace(segment.id, &maps.view(segment, set.set));
    } catch (const Error& error) {
      log::debug("{}", error.what());
    }
  }
  return out;
}

// Tries to map the file again only to get the reason for the message.
[[noreturn]] void fail_without_segment(Database& database, SegmentMaps& maps, const SetRow& set,
                                       std::int64_t id) {
  std::string reason = fineprint::format("{}: segment {} does not exist", database.path(), id);
  for (const SegmentRow& segment : read_segments(database, set.id)) {
    if (segment.id != id) continue;
    try {
      maps.view(segment, set.set);
    } catch (const Error& error) {
      reason = error.what();
    }
  }
  throw Error(ErrorCode::store, fineprint::format("{}; it held \"{}\" vectors of {}: run "
                                                  "`fineprint index` on them again",
                                                  reason, set.set.name, owners_of(database, id)));
}

// Collects the units of a document without vectors. fill() must be called with ascending parts.
struct Gaps {
  std::uint64_t units = 0;
  std::uint64_t next = 0;
  std::vector<UnitRange> ranges;

  void skip_to(std::uint64_t unit) {
    if (unit > next) {
      ranges.push_back({static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(unit - next)});
    }
  }
  void fill(const VectorPart& part) {
    if (part.end_unit() > units) return;
    skip_to(part.first_unit);
    next = std::max(next, part.end_unit());
  }
};

// One query for all documents, because a query for each would dominate a run that has nothing to
// do.
std::map<std::int64_t, Gaps> gaps_of_all(Database& database, VectorUnit unit) {
  std::map<std::int64_t, Gaps> out;
  Query rows = database.query(fineprint::format("{} ORDER BY id", unit_counts_of(unit)));
  while (rows.step()) out[rows.integer(0)].units = static_cast<std::uint64_t>(rows.integer(1));
  return out;
}

}  // namespace

std::vector<VectorSet> Store::vector_sets() const {
  const Guard guard(state_->mutex);
  std::vector<VectorSet> out;
  for (SetRow& row : read_sets(*state_->database)) out.push_back(std::move(row.set));
  return out;
}

void Store::register_set(const VectorSet& set) {
  state_->require_writer();
  check_set(set);
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  Transaction transaction(database);
  const auto known = find_set(database, set.name);
  if (known && !comparable(known->set, set) && holds_vectors(database, *known)) {
    throw Error(
        ErrorCode::store,
        fineprint::format("the store {} holds as \"{}\" {}; {} cannot be compared with "
                          "them: index into another folder, or first remove these "
                          "vectors with --drop-set {}",
                          state_->dir, set.name, described(known->set), described(set), set.name));
  }
  if (known) {
    update_set(database, {known->id, set});
  } else {
    insert_set(database, set);
  }
  transaction.commit();
}

// Foreign keys fix the order: graphs and vectors refer to segments and sets.
void Store::remove_set(const std::string& name) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  Transaction transaction(database);
  if (const auto known = find_set(database, name)) {
    for (const char* sql :
         {"DELETE FROM page_graphs WHERE vector_set = ?",
          "DELETE FROM vectors WHERE vector_set = ?", "DELETE FROM segments WHERE vector_set = ?",
          "DELETE FROM vector_sets WHERE id = ?"}) {
      database.query(sql).bind(known->id).run();
    }
    if (is_sparse(known->set)) remove_sparse_vectors(database, name);
  }
  transaction.commit();
}

// The file is written before the transaction, so that a row never names a file that is not
// complete.
void Store::put_vectors(const std::string& name, std::span<const NewVectors> parts) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  const SetRow set = require_set(database, name);
  const std::vector<const NewVectors*> kept = accepted(database, set.set, parts);
  if (is_sparse(set.set)) return put_sparse_vectors(database, set.set, kept);
  SegmentContent content(set.set);
  std::vector<VectorPart> rows;
  for (const NewVectors* part : kept) {
    rows.push_back({.document = part->document,
                    .first_unit = part->first_unit,
                    .units = part->units,
                    .segment = 0,
                    .first_row = content.rows(),
                    .rows = part->rows.rows,
                    .rows_of_unit = packed_counts(*part)});
    content.append_encoded(part->rows.values);
  }
  if (rows.empty()) return;
  const SegmentRow segment =
      write_segment(state_->dir, next_segment_id(database), set, content.pieces());
  FileUntilCommit file(state_->dir + "/" + segment.file);
  insert_parts(database, set, segment, merged(rows));
  file.keep();
}

std::vector<VectorBlock> Store::vectors(const std::string& name) const {
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  const auto set = find_set(database, name);
  if (!set) return {};
  if (is_sparse(set->set)) {
    auto& rows = state_->sparse_rows[name];
    if (rows.empty()) rows = read_sparse_rows(database, state_->postings, set->set);
    return sparse_blocks(rows);
  }
  const auto views = map_segments(database, state_->maps, *set);
  std::vector<VectorBlock> out;
  for (const VectorPart& part : read_parts(database, set->id)) {
    const auto view = views.find(part.segment);
    if (view == views.end()) fail_without_segment(database, state_->maps, *set, part.segment);
    auto rows = first_rows(part);
    if (!rows || !lies_in(part, view->second->rows.count)) {
      throw Error(ErrorCode::store,
                  fineprint::format("{}: the \"{}\" vectors of {} are damaged; index it again",
                                    database.path(), name, document_name(database, part.document)));
    }
    out.push_back(block_of(part, *view->second, *std::move(rows)));
  }
  return out;
}

std::map<std::int64_t, std::vector<UnitRange>> Store::missing_vectors(
    const std::string& name) const {
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  const SetRow set = require_set(database, name);
  std::map<std::int64_t, Gaps> documents = gaps_of_all(database, set.set.unit);
  if (is_sparse(set.set)) {
    // Documents that have all vectors lack nothing; all others lack everything.
    for (const std::int64_t id : sparse_documents(database, name)) documents.erase(id);
  }
  const auto views = map_segments(database, state_->maps, set);
  for (const VectorPart& part : read_parts(database, set.id)) {
    const auto view = views.find(part.segment);
    const bool usable = view != views.end() && first_rows(part).has_value() &&
                        lies_in(part, view->second->rows.count);
    const auto document = documents.find(part.document);
    if (usable && document != documents.end()) document->second.fill(part);
  }
  std::map<std::int64_t, std::vector<UnitRange>> out;
  for (auto& [id, gaps] : documents) {
    gaps.skip_to(gaps.units);
    if (!gaps.ranges.empty()) out.emplace_hint(out.end(), id, std::move(gaps.ranges));
  }
  return out;
}

// Answers from the catalogue alone, for listings that must be fast.
std::map<std::int64_t, std::map<std::string, std::int64_t>> Store::vector_counts() const {
  const Guard guard(state_->mutex);
  Query rows = state_->database->query(
      "SELECT document, name, SUM(units) FROM vectors JOIN vector_sets ON vector_set = id "
      "GROUP BY document, vector_set");
  std::map<std::int64_t, std::map<std::string, std::int64_t>> out;
  while (rows.step()) out[rows.integer(0)][rows.text(1)] = rows.integer(2);
  for (const SetRow& row : read_sets(*state_->database)) {
    if (!is_sparse(row.set)) continue;
    for (const std::int64_t document : sparse_documents(*state_->database, row.set.name)) {
      const auto units = units_of(*state_->database, document, row.set.unit);
      if (units) out[document][row.set.name] = *units;
    }
  }
  return out;
}

}  // namespace fineprint::store
