// A read-only view of a store in which every page and every chunk has a dense number.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/session/keyword_index.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

// Pages [first, first + count) of one document in the dense numbering.
struct CorpusDocument {
  store::DocumentRow row;
  std::uint32_t first_page = 0;
};

// Which documents a question may use; indices into Corpus::documents(), sorted.
using Pool = std::vector<std::uint32_t>;

// All chunks of the corpus, or all elements of its documents' maps, under dense numbers: those of
// documents()[d] are [first[d], first[d + 1]).
struct UnitTable {
  std::vector<std::uint32_t> first;  // documents() + 1 entries
  std::vector<std::uint32_t> page;   // dense page of each
};

class Corpus {
 public:
  // Every document has its numbers; pools hold only those that `filter` leaves. Throws what
  // filtered() does.
  explicit Corpus(const store::Store& store, const DocumentFilter& filter = {});

  const store::Store& store() const { return store_; }
  const std::vector<CorpusDocument>& documents() const { return documents_; }
  std::uint32_t page_count() const { return page_count_; }
  // Those that pages of it are in, sorted; empty when none was told.
  const std::vector<std::string>& languages() const { return languages_; }

  // The dense number of a page, and back.
  std::uint32_t page_number(std::uint32_t document, int page) const {
    return documents_[document].first_page + page - 1;
  }
  std::uint32_t document_of(std::uint32_t dense_page) const;
  PageRef ref(std::uint32_t dense_page) const;
  Page page(std::uint32_t dense_page) const;
  Chunk chunk(std::uint32_t dense_chunk) const;
  // The index of a catalogue id.
  std::uint32_t index_of(std::int64_t document_id) const { return index_of_.at(document_id); }

  // Read at the first call and kept. Safe from several threads.
  const UnitTable& chunks() const;
  const UnitTable& elements() const;
  const KeywordIndex& keywords() const;

  // Documents matching any of `patterns` (relative path, file name or glob; or an absolute path: of
  // the file, or of a folder above it) that the filter leaves; all that it leaves when empty.
  // Throws Error(input) naming a pattern that matches nothing.
  Pool pool(const std::vector<std::string>& patterns) const;

 private:
  const store::Store& store_;
  std::vector<CorpusDocument> documents_;
  std::vector<bool> is_left_;  // by the filter; one a document
  std::unordered_map<std::int64_t, std::uint32_t> index_of_;
  std::uint32_t page_count_ = 0;
  std::vector<std::string> languages_;
  mutable std::mutex mutex_;
  mutable std::optional<UnitTable> chunks_, elements_;
  mutable std::mutex keywords_mutex_;
  mutable std::unique_ptr<const KeywordIndex> keywords_;
};

}  // namespace fineprint::session
