// Writes to a store: documents, models, and the joining of vector segments.
#include <algorithm>
#include <filesystem>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "store/catalog.h"
#include "store/postings.h"
#include "store/state.h"

namespace fineprint::store {

namespace {

using Guard = std::lock_guard<std::mutex>;

void delete_file(const std::string& path) {
  std::error_code reason;
  if (!std::filesystem::remove(path, reason) && reason) {
    log::warn("{} is no longer needed but cannot be deleted: {}", path, reason.message());
  }
}

void remove_rows(Database& database, const std::string& doc) {
  const auto row = read_document(database, doc);
  if (!row) return;
  remove_fields(database, row->id);
  database.query("DELETE FROM vectors WHERE document = ?").bind(row->id).run();
  remove_document(database, row->id);
}

// One file a scorer that has rows, on disk before anything names it.
std::vector<SegmentRow> write_vectors(Database& database, const std::string& dir,
                                      const NewDocument& document) {
  std::vector<SegmentRow> out;
  std::int64_t id = next_segment_id(database);
  for (const auto& [scorer, vectors] : document.vectors) {
    if (vectors.rows > 0) out.push_back(write_segment(dir, id++, scorer, vectors));
  }
  return out;
}

void replace_rows(Database& database, const NewDocument& document,
                  const std::vector<SegmentRow>& segments) {
  Transaction transaction(database);
  remove_rows(database, document.row.doc);
  const std::int64_t id = insert_document(database, document);
  for (const FieldIndex& field : document.fields) insert_field(database, id, field);
  for (const SegmentRow& segment : segments) {
    insert_segment(database, segment);
    insert_vector_row(database, segment.scorer, {id, segment.id, 0, segment.rows});
  }
  transaction.commit();
}

// The rows of `segments` that documents own, copied together; `rows` says where each went.
Matrix gather(const std::string& dir, const std::vector<SegmentRow>& segments,
              const std::vector<VectorRow>& owned, std::vector<VectorRow>* rows) {
  SegmentMaps maps(dir);  // let go at the end: many small files would stay mapped otherwise
  Matrix out;
  out.cols = segments.front().dim;
  for (const VectorRow& row : owned) {
    const auto segment = std::find_if(segments.begin(), segments.end(),
                                      [&](const SegmentRow& s) { return s.id == row.segment; });
    if (segment == segments.end()) continue;
    const auto values = maps.rows(*segment).subspan(row.first_row * out.cols, row.rows * out.cols);
    rows->push_back({row.document, 0, out.rows, row.rows});
    out.values.insert(out.values.end(), values.begin(), values.end());
    out.rows += row.rows;
  }
  return out;
}

void join(Database& database, const std::string& dir, const std::string& scorer,
          const std::vector<SegmentRow>& segments) {
  std::vector<VectorRow> rows;
  const Matrix joined = gather(dir, segments, read_vector_rows(database, scorer), &rows);
  const SegmentRow segment = write_segment(dir, next_segment_id(database), scorer, joined);
  Transaction transaction(database);
  insert_segment(database, segment);
  for (VectorRow& row : rows) {
    row.segment = segment.id;
    insert_vector_row(database, scorer, row);
  }
  for (const SegmentRow& old : segments) {
    database.query("DELETE FROM segments WHERE id = ?").bind(old.id).run();
  }
  transaction.commit();
}

void drop_unowned_segments(Database& database) {
  Transaction transaction(database);
  database.execute("DELETE FROM segments WHERE id NOT IN (SELECT segment FROM vectors)");
  transaction.commit();
}

std::set<std::string> scorers_of(Database& database) {
  std::set<std::string> out;
  for (const SegmentRow& segment : read_segments(database, "")) out.insert(segment.scorer);
  return out;
}

}  // namespace

void Store::put(const NewDocument& document) {
  state_->require_writer();
  check_consistent(document);
  const Guard guard(state_->mutex);
  const auto segments = write_vectors(*state_->database, state_->dir, document);
  try {
    replace_rows(*state_->database, document, segments);
  } catch (...) {
    for (const SegmentRow& segment : segments) delete_file(state_->dir + "/" + segment.file);
    throw;
  }
}

void Store::restamp(const DocumentRow& row) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  restamp_document(*state_->database, row);
}

void Store::remove(const std::string& doc) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Transaction transaction(*state_->database);
  remove_rows(*state_->database, doc);
  transaction.commit();
}

void Store::register_model(const ModelRow& model) {
  const auto known = this->model(model.scorer);
  if (known && known->hash == model.hash && known->dim == model.dim) return;
  state_->require_writer();
  const Guard guard(state_->mutex);
  if (!read_vector_rows(*state_->database, model.scorer).empty()) {
    throw Error(
        ErrorCode::store,
        fineprint::format("the store {} holds \"{}\" vectors of the model {}, those of {} "
                          "do not compare with them; index into another folder, or delete "
                          "this one first",
                          state_->dir, model.scorer, known ? known->name : "unknown", model.name));
  }
  state_->database->query("INSERT OR REPLACE INTO models(scorer, name, hash, dim) VALUES(?,?,?,?)")
      .bind(std::string_view(model.scorer))
      .bind(std::string_view(model.name))
      .bind(std::string_view(model.hash))
      .bind(static_cast<std::int64_t>(model.dim))
      .run();
}

void Store::compact() {
  state_->require_writer();
  const Guard guard(state_->mutex);
  Database& database = *state_->database;
  drop_unowned_segments(database);
  for (const std::string& scorer : scorers_of(database)) {
    for (;;) {
      const auto segments = segments_to_join(read_segments(database, scorer));
      if (segments.empty()) break;
      join(database, state_->dir, scorer, segments);
    }
  }
  // Readers have the files they use mapped already, or take a newer state of the catalogue.
  for (const std::string& path : orphan_files(database, state_->dir)) delete_file(path);
}

}  // namespace fineprint::store
