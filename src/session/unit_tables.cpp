// Numbers every chunk and every element of the corpus densely.
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "fineprint/session/corpus.h"

namespace fineprint::session {
namespace {

// `pages` has the page number of each unit, by document.
template <typename Unit>
UnitTable<Unit> build_table(const Corpus& corpus,
                            const std::map<std::int64_t, std::vector<std::int32_t>>& pages) {
  UnitTable<Unit> table;
  for (const CorpusDocument& document : corpus.documents()) {
    table.first.push_back(Unit(static_cast<std::uint32_t>(table.page.size())));
    const auto found = pages.find(document.row.id);
    if (found == pages.end()) continue;
    for (const std::int32_t page : found->second) {
      table.page.push_back(document.first_page + static_cast<std::uint32_t>(page - 1));
    }
  }
  table.first.push_back(Unit(static_cast<std::uint32_t>(table.page.size())));
  table.in_page_order = std::ranges::is_sorted(table.page);
  return table;
}

}  // namespace

const ChunkTable& Corpus::chunks() const {
  const std::lock_guard lock(mutex_);
  if (!chunks_) chunks_ = build_table<ChunkId>(*this, store_.chunk_pages());
  return *chunks_;
}

const ElementTable& Corpus::elements() const {
  const std::lock_guard lock(mutex_);
  if (!elements_) elements_ = build_table<ElementId>(*this, store_.element_pages());
  return *elements_;
}

// at() checks the id, because ids come from callers.
Chunk Corpus::chunk(ChunkId dense_chunk) const {
  const ChunkTable& table = chunks();
  const DocumentId document = document_of(table.page.at(dense_chunk.value));
  const std::int64_t id = documents_[document.value].row.id;
  return store_.chunk(id, dense_chunk - table.begin_of(document)).chunk;
}

}  // namespace fineprint::session
