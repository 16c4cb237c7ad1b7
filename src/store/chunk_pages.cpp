// Which page each chunk is on, for all documents at once.
#include "store/chunk_pages.h"

#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/state.h"

namespace fineprint::store {

std::string encode_chunk_pages(const std::vector<std::int32_t>& pages) {
  ByteWriter out;
  std::int64_t before = 0;
  for (const std::int32_t page : pages) {
    // Zigzag: chunks come in reading order, but a step back must not take ten bytes.
    const std::int64_t step = page - before;
    out.varint(static_cast<std::uint64_t>(step) << 1 ^ static_cast<std::uint64_t>(step >> 63));
    before = page;
  }
  return out.bytes();
}

std::vector<std::int32_t> decode_chunk_pages(std::span<const std::uint8_t> blob) {
  std::vector<std::int32_t> out;
  out.reserve(blob.size());
  std::int64_t page = 0;
  for (ByteReader in(blob); !in.at_end();) {
    const std::uint64_t step = in.varint32();
    page += static_cast<std::int64_t>(step >> 1) ^ -static_cast<std::int64_t>(step & 1);
    if (page < 1 || page > INT32_MAX) throw BlobDamage("a page number is impossible");
    out.push_back(static_cast<std::int32_t>(page));
  }
  return out;
}

void insert_chunk_pages(Database& database, std::int64_t document,
                        const std::vector<std::int32_t>& pages) {
  if (pages.empty()) return;
  const std::string blob = encode_chunk_pages(pages);
  database.query("INSERT INTO pages_of_chunks(document, pages) VALUES(?,?)")
      .bind(document)
      .bind_blob(blob)
      .run();
}

std::vector<std::int32_t> read_chunk_pages(Database& database, std::int64_t document) {
  Query row = database.query("SELECT pages FROM pages_of_chunks WHERE document = ?");
  row.bind(document);
  if (!row.step()) return {};
  return decode_chunk_pages(row.blob(0));
}

std::map<std::int64_t, std::vector<std::int32_t>> Store::chunk_pages() const {
  const std::lock_guard guard(state_->mutex);
  std::map<std::int64_t, std::vector<std::int32_t>> out;
  Query rows = state_->database->query("SELECT document, pages FROM pages_of_chunks ORDER BY 1");
  while (rows.step()) {
    const std::int64_t document = rows.integer(0);
    try {
      out.emplace_hint(out.end(), document, decode_chunk_pages(rows.blob(1)));
    } catch (const BlobDamage& damage) {
      throw Error(ErrorCode::store,
                  fineprint::format("{}: the chunks of document {} are damaged: {}; `fineprint "
                                    "index --repair` mends it",
                                    state_->database->path(), document, damage.what()));
    }
  }
  return out;
}

}  // namespace fineprint::store
