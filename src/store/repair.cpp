// Drops damaged data that can be made again, and marks the documents that must be read again.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/checks.h"
#include "store/row_sums.h"
#include "store/state.h"

namespace fineprint::store {

namespace {

using Guard = std::lock_guard<std::mutex>;
using Documents = std::set<std::int64_t>;

// Throws the first fault that repair() cannot fix.
void require_mendable(Database& database) {
  std::vector<std::string> problems;
  check_structure(database, &problems);
  if (problems.empty()) check_settings(database, &problems);
  if (!problems.empty()) throw Error(ErrorCode::store, problems.front());
}

// Runs the checks of verify(), so that both find the same documents.
Documents damaged_documents(Database& database, const DamagedPostings& postings) {
  Documents out = postings.documents;
  for (const DocumentRow& row : read_documents(database)) {
    std::vector<std::string> problems;
    check_document(database, row, &problems);
    if (!problems.empty()) out.insert(row.id);
  }
  return out;
}

void drop_segment(Database& database, std::int64_t segment) {
  database.query("DELETE FROM vectors WHERE segment = ?").bind(segment).run();
  database.query("DELETE FROM segments WHERE id = ?").bind(segment).run();
}

// The next `index` makes the vectors that a document lacks afterwards. A dropped map is made by the
// next command that asks for one.
void drop_damaged_parts(Database& database, SegmentMaps& maps) {
  for (const char* table :
       {"vectors", "page_graphs", "segments", "document_maps", "unread_files"}) {
    drop_damaged_rows(database, table, "?1 = 0", 0);
  }
  for (const SetRow& set : read_sets(database)) {
    for (const SegmentRow& segment : read_segments(database, set.id)) {
      if (!fault_of_segment(maps, set, segment).empty()) drop_segment(database, segment.id);
    }
  }
  database.execute(
      "DELETE FROM vectors WHERE segment NOT IN (SELECT id FROM segments);"
      "DELETE FROM vectors WHERE vector_set IN (SELECT id FROM vector_sets WHERE unit = 2) AND "
      "first_unit + units > COALESCE((SELECT element_count FROM document_maps WHERE "
      "document_maps.document = vectors.document), 0);"
      "DELETE FROM page_graphs WHERE vector_set NOT IN (SELECT id FROM vector_sets)");
}

// Also drops postings of documents that cannot be read again, because one damaged segment would
// keep all other documents from being searched.
void drop_damaged_postings(Database& database, const DamagedPostings& postings) {
  for (const char* table : {"postings_documents", "postings_segments"}) {
    drop_damaged_rows(database, table, "?1 = 0", 0);
  }
  for (const std::int64_t segment : postings.segments) {
    database.query("DELETE FROM postings_documents WHERE segment = ?").bind(segment).run();
    database.query("DELETE FROM postings_segments WHERE id = ?").bind(segment).run();
  }
  for (const std::int64_t document : postings.pending) {
    database.query("DELETE FROM pending_postings WHERE document = ?").bind(document).run();
  }
  database.execute(
      "DELETE FROM postings_documents WHERE segment NOT IN (SELECT id FROM postings_segments)");
}

// Comes last, because the other steps may remove documents.
void drop_rows_of_no_document(Database& database) {
  for (const char* table :
       {"pages", "elements", "chunks", "outline", "pages_of_chunks", "document_sums", "vectors",
        "page_graphs", "document_maps", "pending_postings", "postings_documents"}) {
    database.execute(fineprint::format(
        "DELETE FROM {} WHERE document NOT IN (SELECT id FROM documents)", table));
  }
}

void remove_with_vectors(Database& database, std::int64_t document) {
  for (const char* table : {"vectors", "page_graphs"}) {
    database.query(fineprint::format("DELETE FROM {} WHERE document = ?", table))
        .bind(document)
        .run();
  }
  remove_fields(database, document);
  remove_document(database, document);
}

// Empty settings differ from all real ones, so the next `index` reads the file again. Until then
// the rest of the document stays usable. A document whose row is damaged is removed instead: its
// name may be wrong, and then no `index` would ever find it again.
void mark(Database& database, const Documents& documents) {
  for (const std::int64_t id : documents) {
    if (!row_is_sound(database, id)) {
      remove_with_vectors(database, id);
      continue;
    }
    database.query("UPDATE documents SET settings = '' WHERE id = ?").bind(id).run();
    sum_document_row(database, id);
  }
}

}  // namespace

std::vector<DocumentRow> Store::repair() {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  // REINDEX comes first, because damage to an index alone costs no document: SQLite rebuilds the
  // index from its table.
  database.execute("REINDEX");
  require_mendable(database);
  std::vector<DocumentRow> out;
  const DamagedPostings postings = damaged_postings(database, state_->postings);
  const Documents damaged = damaged_documents(database, postings);
  for (DocumentRow& row : read_documents(database)) {
    if (damaged.contains(row.id)) out.push_back(std::move(row));
  }
  Transaction transaction(database);
  // Rows go table by table, so references are checked only at the end.
  database.execute("PRAGMA defer_foreign_keys = ON");
  drop_damaged_parts(database, state_->maps);
  drop_damaged_postings(database, postings);
  mark(database, damaged);
  drop_rows_of_no_document(database);
  transaction.commit();
  return out;
}

}  // namespace fineprint::store
