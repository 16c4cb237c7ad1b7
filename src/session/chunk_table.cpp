// Gives every chunk of the corpus a dense number.
#include "fineprint/session/corpus.h"

namespace fineprint::session {
namespace {

ChunkTable build_table(const Corpus& corpus) {
  const auto pages = corpus.store().chunk_pages();
  ChunkTable table;
  for (const CorpusDocument& document : corpus.documents()) {
    table.first.push_back(static_cast<std::uint32_t>(table.page.size()));
    const auto found = pages.find(document.row.id);
    if (found == pages.end()) continue;
    for (const std::int32_t page : found->second) {
      table.page.push_back(document.first_page + static_cast<std::uint32_t>(page) - 1);
    }
  }
  table.first.push_back(static_cast<std::uint32_t>(table.page.size()));
  return table;
}

}  // namespace

const ChunkTable& Corpus::chunks() const {
  const std::lock_guard lock(mutex_);
  if (!chunks_) chunks_ = build_table(*this);
  return *chunks_;
}

Chunk Corpus::chunk(std::uint32_t dense_chunk) const {
  const ChunkTable& table = chunks();
  const std::uint32_t document = document_of(table.page.at(dense_chunk));
  return store_.chunk(documents_[document].row.id, dense_chunk - table.first[document]).chunk;
}

}  // namespace fineprint::session
