// Reads and writes structural maps.
#include "store/document_maps.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/catalog.h"
#include "store/row_sums.h"
#include "store/state.h"

namespace fineprint::store {

std::optional<StoredMap> read_map(Database& database, std::int64_t document) {
  Query row = database.query(
      fineprint::format("SELECT maker, map, sum = {} FROM document_maps WHERE document = ?",
                        row_sum_of("document_maps")));
  row.bind(document);
  if (!row.step()) return std::nullopt;
  if (row.integer(2) == 0) throw BlobDamage("its checksum is wrong");
  return StoredMap{row.text(0), row.text(1)};
}

std::optional<StoredMap> Store::document_map(std::int64_t document) const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  try {
    return read_map(*state_->database, document);
  } catch (const BlobDamage& damage) {
    throw Error(ErrorCode::store,
                fineprint::format("{}: the map of {} is damaged: {}; `fineprint index --repair` "
                                  "drops it",
                                  state_->database->path(),
                                  document_name(*state_->database, document), damage.what()));
  }
}

void Store::put_document_map(std::int64_t document, const StoredMap& map) {
  state_->require_writer();
  const std::lock_guard<std::mutex> guard(state_->mutex);
  if (!read_document(*state_->database, document)) return;
  state_->database
      ->query(
          "INSERT OR REPLACE INTO document_maps(document, maker, map, sum) "
          "VALUES(?1,?2,?3, row_sum(?1,?2,?3))")
      .bind(document)
      .bind(std::string_view(map.maker))
      .bind(std::string_view(map.json))
      .run();
}

}  // namespace fineprint::store
