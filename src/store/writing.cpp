// Writes documents, and compacts the store.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/catalog.h"
#include "store/named_files.h"
#include "store/postings/postings.h"
#include "store/row_sums.h"
#include "store/state.h"
#include "store/unread_files.h"
#include "store/vectors/joining.h"

namespace fineprint::store {

namespace {

using Guard = std::lock_guard<std::mutex>;

// Removes everything of a document but its vectors and graphs.
void remove_text(Database& database, std::int64_t document) {
  remove_fields(database, document);
  remove_document(database, document);
}

// Removes vectors of all sets, or only of chunks and elements, which change with the text.
void remove_vectors(Database& database, std::int64_t document, bool of_pages_too) {
  for (const char* table : {"vectors", "page_graphs"}) {
    database
        .query(fineprint::format("DELETE FROM {} WHERE document = ?1 AND (?2 OR vector_set IN "
                                 "(SELECT id FROM vector_sets WHERE unit <> 0))",
                                 table))
        .bind(document)
        .bind(std::int64_t{of_pages_too})
        .run();
  }
}

// The document id is part of the checksum of these rows, so the sums are made again.
void move_vectors(Database& database, std::int64_t from, std::int64_t to) {
  for (const char* table : {"vectors", "page_graphs"}) {
    database.query(fineprint::format("UPDATE {} SET document = ?2 WHERE document = ?1", table))
        .bind(from)
        .bind(to)
        .run();
    sum_rows(database, table, "document = ?1", to);
  }
}

// Removes rows that only damage can explain: wrong sums, and vectors of pages after the last one.
void remove_damaged_vectors(Database& database, std::int64_t document, int page_count) {
  for (const char* table : {"vectors", "page_graphs"}) {
    drop_damaged_rows(database, table, "document = ?1", document);
  }
  database.query("DELETE FROM vectors WHERE document = ? AND first_unit + units > ?")
      .bind(document)
      .bind(std::int64_t{page_count})
      .run();
}

// Returns true if page pictures are unchanged. They depend only on the file, and not on the
// settings that shape its text.
bool same_pictures(const DocumentRow& before, const DocumentRow& after) {
  return !after.hash.empty() && before.hash == after.hash && before.page_count == after.page_count;
}

// Takes a new id instead of updating rows: readers keep the old state, and postings in segments
// refer to the old id.
std::int64_t replace_rows(Database& database, const NewDocument& document) {
  const auto before = read_document(database, document.row.doc);
  if (before) {
    // The vectors that stay have no document until they get the new id.
    database.execute("PRAGMA defer_foreign_keys = ON");
    remove_vectors(database, before->id, !same_pictures(*before, document.row));
    remove_damaged_vectors(database, before->id, document.row.page_count);
    remove_text(database, before->id);
  }
  remove_unread_file(database, document.row.doc);
  const std::int64_t id = insert_document(database, document);
  for (const FieldIndex& field : document.fields) insert_field(database, id, field);
  if (before) move_vectors(database, before->id, id);
  sum_document(database, id);
  return id;
}

}  // namespace

std::int64_t Store::put(const NewDocument& document) {
  state_->require_writer();
  check_consistent(document);
  const Guard guard(state_->mutex);
  Transaction transaction(*state_->database);
  const std::int64_t id = replace_rows(*state_->database, document);
  transaction.commit();
  return id;
}

void Store::restamp(const DocumentRow& row) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Transaction transaction(*state_->database);
  restamp_document(*state_->database, row);
  transaction.commit();
}

void Store::remove(const std::string& doc) { remove_all({doc}); }

void Store::remove_all(const std::vector<std::string>& docs) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Transaction transaction(*state_->database);
  for (const std::string& doc : docs) {
    if (const auto row = read_document(*state_->database, doc)) {
      remove_vectors(*state_->database, row->id, true);
      remove_text(*state_->database, row->id);
    }
    remove_unread_file(*state_->database, doc);
  }
  transaction.commit();
}

void Store::compact() {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  // Files are deleted last, when no row names them and their content is safe in other files.
  fold_postings(database, state_->postings);
  join_vector_segments(database, state_->dir);
  std::set<std::string> named;
  for (const SegmentRow& segment : read_segments(database, std::nullopt)) {
    named.insert(segment.file);
  }
  // Deleting is safe: readers have mapped the files of their state already, or open a newer state.
  for (const auto& path : unnamed_files(state_->dir, "vectors", named)) delete_file(path);
}

}  // namespace fineprint::store
