// Exports the vectors of a store into a database.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/exchange/export.h"
#include "fineprint/pgvector/vector_table.h"

#include "exchange/vector_text.h"

namespace fineprint::exchange {
namespace {

// A search through the database would otherwise find a part of the pages without saying so.
void require_all(const store::Store& store, const Selection& selection) {
  if (selection.documents.size() != store.documents().size()) {
    throw Error(
        ErrorCode::usage,
        "--format pgvector writes the vectors of all documents, because searches through the "
        "database are about all; leave out the names, --kind and --since");
  }
  // Sparse sets are searched by their posting lists.
  if (std::ranges::all_of(selection.sets, store::is_sparse)) {
    throw Error(ErrorCode::store,
                format("{}: has no vectors to write; run `fineprint index` with --scorer text, for "
                       "example, to make some",
                       store.dir()));
  }
  for (const store::VectorSet& set : selection.sets) {
    if (store::is_sparse(set) || store.missing_vectors(set.name).empty()) continue;
    throw Error(ErrorCode::store,
                format("{}: vectors of the set \"{}\" are missing; run `fineprint index` first, or "
                       "choose other sets with --set",
                       store.dir(), set.name));
  }
}

}  // namespace

ExportCounts export_pgvector(const store::Store& store, const Selection& selection,
                             const std::string& address) {
  require_all(store, selection);
  ExportCounts counts;
  for (const store::VectorSet& set : selection.sets) {
    if (store::is_sparse(set)) continue;
    pgvector::VectorTable table(address, store, set);
    const VectorsOfSet vectors(store, set);
    table.begin();
    for (const Holding& one : selection.documents) {
      throw_if_interrupted();
      for (const UnitRows& unit : vectors.of(one.row.id)) {
        for (std::size_t row = 0; row < unit.rows.count; ++row) {
          table.add(one.row.id, unit.unit, row_text(unit.rows, row));
        }
        ++counts.vectors;
      }
    }
    table.finish();
  }
  for (const Holding& one : selection.documents) {
    ++counts.documents;
    counts.pages += one.row.page_count;
  }
  return counts;
}

}  // namespace fineprint::exchange
