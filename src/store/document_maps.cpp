// Reads and writes document maps.
#include "store/document_maps.h"

#include <algorithm>
#include <iterator>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/catalog.h"
#include "store/page_list.h"
#include "store/row_sums.h"
#include "store/state.h"

namespace fineprint::store {

// Compares the row's checksum at every read, because a map is one row and that is cheap.
std::optional<StoredMap> read_map(Database& database, std::int64_t document) {
  Query row = database.query(
      fineprint::format("SELECT maker, map, element_pages, sum = {} FROM document_maps WHERE "
                        "document = ?",
                        row_sum_of("document_maps")));
  row.bind(document);
  if (!row.step()) return std::nullopt;
  if (row.integer(3) == 0) throw BlobDamage("its checksum is wrong");
  return StoredMap{row.text(0), row.text(1), decode_page_list(row.blob(2))};
}

namespace {

[[noreturn]] void fail_damaged(Database& database, std::int64_t document,
                               const BlobDamage& damage) {
  throw Error(ErrorCode::store,
              fineprint::format("{}: the map of {} is damaged: {}; run `fineprint index --repair` "
                                "to drop it",
                                database.path(), document_name(database, document), damage.what()));
}

// Vectors of elements are found by these pages, so a wrong one would only show in a search.
void check_element_pages(const DocumentRow& document, const StoredMap& map) {
  const bool inside = std::ranges::all_of(map.element_pages, [&](std::int32_t page) {
    return page >= 1 && page <= document.page_count;
  });
  if (inside) return;
  throw Error(ErrorCode::internal,
              fineprint::format("the map of {} cannot be stored: an element is on a page that the "
                                "document does not have",
                                document.doc));
}

// Drops vectors of elements unless the stored map has the same JSON: they were made from the old
// map.
void remove_vectors_of_elements(Database& database, std::int64_t document, const StoredMap& map) {
  database
      .query(
          "DELETE FROM vectors WHERE document = ?1 AND vector_set IN (SELECT id FROM vector_sets "
          "WHERE unit = 2) AND NOT EXISTS (SELECT 1 FROM document_maps WHERE document = ?1 AND "
          "map = ?2)")
      .bind(document)
      .bind(std::string_view(map.json))
      .run();
}

}  // namespace

std::optional<StoredMap> Store::document_map(std::int64_t document) const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  try {
    return read_map(*state_->database, document);
  } catch (const BlobDamage& damage) {
    fail_damaged(*state_->database, document, damage);
  }
}

// Rows and vectors change in one transaction, so that no reader sees the vectors of one map next to
// the elements of another.
void Store::put_document_map(std::int64_t document, const StoredMap& map) {
  state_->require_writer();
  const std::lock_guard<std::mutex> guard(state_->mutex);
  Database& database = *state_->database;
  Transaction transaction(database);
  const auto row = read_document(database, document);
  if (!row) return;
  check_element_pages(*row, map);
  remove_vectors_of_elements(database, document, map);
  const std::string pages = encode_page_list(map.element_pages);
  database
      .query(
          "INSERT OR REPLACE INTO document_maps(document, maker, map, element_count, "
          "element_pages, sum) VALUES(?1,?2,?3,?4,?5, row_sum(?1,?2,?3,?4,?5))")
      .bind(document)
      .bind(std::string_view(map.maker))
      .bind(std::string_view(map.json))
      .bind(std::ssize(map.element_pages))
      .bind_blob(pages)
      .run();
  transaction.commit();
}

std::set<std::int64_t> Store::mapped_documents() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  Query rows = state_->database->query("SELECT document FROM document_maps");
  std::set<std::int64_t> out;
  while (rows.step()) out.insert(rows.integer(0));
  return out;
}

// Reads only the page lists and not the JSON, but the checksum of the row covers both.
std::map<std::int64_t, std::vector<std::int32_t>> Store::element_pages() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  std::map<std::int64_t, std::vector<std::int32_t>> out;
  Query rows = state_->database->query(
      fineprint::format("SELECT document, element_pages, sum = {} FROM document_maps ORDER BY 1",
                        row_sum_of("document_maps")));
  while (rows.step()) {
    try {
      if (rows.integer(2) == 0) throw BlobDamage("its checksum is wrong");
      out.emplace_hint(out.end(), rows.integer(0), decode_page_list(rows.blob(1)));
    } catch (const BlobDamage& damage) {
      fail_damaged(*state_->database, rows.integer(0), damage);
    }
  }
  return out;
}

}  // namespace fineprint::store
