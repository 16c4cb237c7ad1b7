// Stores vectors over a vocabulary as posting lists, and reads them back.
#include "store/postings/sparse.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::store {

namespace {

// Of one document.
FieldIndex index_of(const VectorSet& set, const NewVectors& part) {
  std::map<std::uint32_t, std::vector<score::Posting>> lists;
  FieldIndex index;
  index.field = set.name;
  index.lengths.assign(part.units, 0);
  std::size_t row = 0;
  for (std::uint32_t unit = 0; unit < part.units; ++unit) {
    const std::size_t end = row + (part.rows_of_unit.empty() ? 1 : part.rows_of_unit[unit]);
    for (; row < end; ++row) {
      const auto steps =
          static_cast<std::uint32_t>(std::lround(part.rows.row(row)[1] * kWeightSteps));
      if (steps == 0) continue;
      lists[static_cast<std::uint32_t>(part.rows.row(row)[0])].push_back({unit, steps});
      ++index.lengths[unit];
    }
  }
  for (auto& [token, postings] : lists) {
    index.terms.push_back(sparse_term(token));
    index.postings.push_back(std::move(postings));
  }
  return index;
}

bool is_whole(Database& database, const VectorSet& set, const NewVectors& part) {
  Query row = database.query(
      fineprint::format("SELECT {} FROM documents WHERE id = ?",
                        set.unit == VectorUnit::page ? "page_count" : "chunk_count"));
  row.bind(part.document);
  return row.step() && part.first_unit == 0 && row.integer(0) == std::int64_t{part.units};
}

void remove_rows(Database& database, const std::string& set, std::int64_t document) {
  for (const char* table : {"pending_postings", "postings_documents"}) {
    database
        .query(fineprint::format("DELETE FROM {} WHERE document = ?1 AND field IN (SELECT id FROM "
                                 "fields WHERE name = ?2)",
                                 table))
        .bind(document)
        .bind(std::string_view(set))
        .run();
  }
}

std::uint32_t token_of(const std::string& set, std::string_view term, std::size_t most) {
  std::uint64_t token = 0;
  for (const char digit : term) {
    token = token * 10 + static_cast<std::uint64_t>(digit - '0');
    if (digit < '0' || digit > '9' || token >= most) {
      throw Error(
          ErrorCode::store,
          fineprint::format("the vectors \"{}\" are damaged: {} is no token; run `fineprint "
                            "index --repair`",
                            set, term));
    }
  }
  return static_cast<std::uint32_t>(token);
}

}  // namespace

std::set<std::int64_t> sparse_documents(Database& database, const std::string& set) {
  std::set<std::int64_t> out;
  Query rows = database.query(
      "SELECT document FROM pending_postings JOIN fields ON field = id WHERE name = ?1 UNION "
      "SELECT document FROM postings_documents JOIN fields ON field = id WHERE name = ?1");
  rows.bind(std::string_view(set));
  while (rows.step()) out.insert(rows.integer(0));
  return out;
}

void put_sparse_vectors(Database& database, const VectorSet& set,
                        std::span<const NewVectors* const> parts) {
  Transaction transaction(database);
  for (const NewVectors* part : parts) {
    if (!is_whole(database, set, *part)) continue;
    remove_rows(database, set.name, part->document);
    insert_field(database, part->document, index_of(set, *part));
  }
  transaction.commit();
}

// The order is that of the foreign keys.
void remove_sparse_vectors(Database& database, const std::string& set) {
  for (const char* table : {"pending_postings", "postings_documents", "postings_segments"}) {
    database
        .query(fineprint::format(
            "DELETE FROM {} WHERE field IN (SELECT id FROM fields WHERE name = ?)", table))
        .bind(std::string_view(set))
        .run();
  }
  database.query("DELETE FROM fields WHERE name = ?").bind(std::string_view(set)).run();
}

std::vector<SparseRows> read_sparse_rows(Database& database, PostingsFiles& files,
                                         const VectorSet& set) {
  struct Entry {
    std::uint32_t token = 0;
    float weight = 0;
  };
  std::map<std::int64_t, std::vector<std::vector<Entry>>> vectors;  // [document][unit]
  for (const auto& segment : read_postings(database, files, set.name)) {
    std::vector<std::vector<Entry>> units(segment->lengths().size());
    std::vector<score::Posting> list;
    for (const std::string& term : segment->terms()) {
      const std::uint32_t token = token_of(set.name, term, set.dim);
      segment->read(term, &list);
      for (const auto& [unit, steps] : list) {
        units[unit].push_back({token, static_cast<float>(steps) / kWeightSteps});
      }
    }
    for (const SegmentDocument& document : segment->documents()) {
      if (!document.live) continue;
      auto& held = vectors[document.document];
      for (std::uint32_t i = 0; i < document.units; ++i) {
        held.push_back(std::move(units[document.first_unit + i]));
      }
    }
  }
  std::vector<SparseRows> out;
  for (auto& [document, units] : vectors) {
    SparseRows made{document, {0}, {0, kSparseColumns, {}}};
    for (std::vector<Entry>& unit : units) {
      // Terms are ordered as texts, tokens as numbers.
      std::ranges::sort(unit, {}, &Entry::token);
      for (const auto& [token, weight] : unit) {
        made.rows.values.push_back(static_cast<float>(token));
        made.rows.values.push_back(weight);
      }
      made.rows.rows += unit.size();
      made.first_row.push_back(static_cast<std::uint32_t>(made.rows.rows));
    }
    out.push_back(std::move(made));
  }
  return out;
}

std::vector<VectorBlock> sparse_blocks(std::span<const SparseRows> rows) {
  std::vector<VectorBlock> out;
  for (const SparseRows& one : rows) {
    VectorBlock block;
    block.document = one.document;
    block.units = static_cast<std::uint32_t>(one.first_row.size() - 1);
    block.first_row = one.first_row;
    block.rows = {.type = score::VectorType::f32,
                  .values = one.rows.values.data(),
                  .scales = nullptr,
                  .count = one.rows.rows,
                  .dim = kSparseColumns};
    out.push_back(std::move(block));
  }
  return out;
}

}  // namespace fineprint::store
