// Which page each chunk is on, read for all documents at once.
#include "store/state.h"

namespace fineprint::store {

std::map<std::int64_t, std::vector<std::int32_t>> Store::chunk_pages() const {
  const std::lock_guard guard(state_->mutex);
  std::map<std::int64_t, std::vector<std::int32_t>> pages;
  Query rows = state_->database->query(
      "SELECT document, page FROM chunks INDEXED BY chunk_pages ORDER BY document, ordinal");
  while (rows.step()) {
    pages[rows.integer(0)].push_back(static_cast<std::int32_t>(rows.integer(1)));
  }
  return pages;
}

}  // namespace fineprint::store
