// The page of each chunk, readable for all documents at once.
#include "store/chunk_pages.h"

#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/page_list.h"
#include "store/state.h"

namespace fineprint::store {

// One row for a document, because every search reads the pages of all chunks and needs no texts.
void insert_chunk_pages(Database& database, std::int64_t document,
                        const std::vector<std::int32_t>& pages) {
  if (pages.empty()) return;
  const std::string blob = encode_page_list(pages);
  database.query("INSERT INTO pages_of_chunks(document, pages) VALUES(?,?)")
      .bind(document)
      .bind_blob(blob)
      .run();
}

std::vector<std::int32_t> read_chunk_pages(Database& database, std::int64_t document) {
  Query row = database.query("SELECT pages FROM pages_of_chunks WHERE document = ?");
  row.bind(document);
  if (!row.step()) return {};
  return decode_page_list(row.blob(0));
}

// Rows come ordered by document, so that each one is inserted at the end of the map.
std::map<std::int64_t, std::vector<std::int32_t>> Store::chunk_pages() const {
  const std::lock_guard guard(state_->mutex);
  std::map<std::int64_t, std::vector<std::int32_t>> out;
  Query rows = state_->database->query("SELECT document, pages FROM pages_of_chunks ORDER BY 1");
  while (rows.step()) {
    const std::int64_t document = rows.integer(0);
    try {
      out.emplace_hint(out.end(), document, decode_page_list(rows.blob(1)));
    } catch (const BlobDamage& damage) {
      throw Error(ErrorCode::store,
                  fineprint::format("{}: the chunks of document {} are damaged: {}; run `fineprint "
                                    "index --repair`",
                                    state_->database->path(), document, damage.what()));
    }
  }
  return out;
}

}  // namespace fineprint::store
