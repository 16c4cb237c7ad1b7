// A read-only view of a store that numbers all pages and all chunks densely (page ids, chunk ids).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/session/keyword_index.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

// A document of the corpus. Its pages have the ids [first_page, first_page + row.page_count).
struct CorpusDocument {
  // As the catalogue has it.
  store::DocumentRow row;
  PageId first_page;
};

// The documents that a question may use, sorted.
using Pool = std::vector<DocumentId>;

// All chunks of the corpus (`Unit` is ChunkId), or all elements of its document maps (ElementId),
// numbered densely. Those of documents()[d] have the ids [first[d], first[d + 1]).
template <typename Unit>
struct UnitTable {
  std::vector<Unit> first;    // documents() + 1 entries
  std::vector<PageId> page;   // the page of each chunk or element
  bool in_page_order = true;  // whether no unit is on an earlier page than the one before it

  // Return the range of a document's ids, and the page of a unit.
  Unit begin_of(DocumentId document) const { return first[document.value]; }
  Unit end_of(DocumentId document) const { return first[document.value + 1]; }
  PageId page_of(Unit unit) const { return page[unit.value]; }
};
using ChunkTable = UnitTable<ChunkId>;
using ElementTable = UnitTable<ElementId>;

// The documents of one store. For example, if the first document has 10 pages, its page 3 has the
// page id 2, and page 1 of the second document has the page id 10.
class Corpus {
 public:
  // Numbers the pages of every document, but pools contain only documents that `filter` accepts, so
  // that ids do not depend on the filter. Throws what filtered() throws. `store` must outlive it.
  explicit Corpus(const store::Store& store, const DocumentFilter& filter = {});

  // Returns the store that the corpus reads from.
  const store::Store& store() const { return store_; }
  // Returns all documents, ordered by name, whether the filter accepts them or not.
  const std::vector<CorpusDocument>& documents() const { return documents_; }
  // Returns the number of pages of all documents; page ids are below it.
  std::uint32_t page_count() const { return page_count_; }
  // Returns the languages of all pages, sorted; empty if the store records none.
  const std::vector<std::string>& languages() const { return languages_; }

  // Returns the page id of a page (`page` is a page number).
  PageId page_number(DocumentId document, int page) const {
    return documents_[document.value].first_page + static_cast<std::uint32_t>(page - 1);
  }
  // Return the document, the reference or the content of a page by its page id. Throw
  // Error(internal) if there is no such id.
  DocumentId document_of(PageId dense_page) const;
  PageRef ref(PageId dense_page) const;
  Page page(PageId dense_page) const;
  // Returns a chunk by its chunk id.
  Chunk chunk(ChunkId dense_chunk) const;
  // Returns the document of this name, compared whole and not as a pattern; nothing if there is
  // none.
  std::optional<DocumentId> document_named(std::string_view doc) const;
  // Returns the document with this id in the catalogue.
  DocumentId index_of(std::int64_t document_id) const { return index_of_.at(document_id); }

  // The tables below are read at the first call and kept. Safe from several threads.
  const ChunkTable& chunks() const;
  const ElementTable& elements() const;
  // `unit` is that of the field.
  const KeywordIndex& keywords(const std::string& field = "chunk",
                               store::VectorUnit unit = store::VectorUnit::chunk) const;

  // Returns the documents that match any of `patterns` and that the filter accepts; all that the
  // filter accepts if `patterns` is empty. A pattern is a relative path, file name or glob, or an
  // absolute path of the file or of a folder above it. For example, "report.pdf" matches
  // "2024/report.pdf". Throws Error(input) naming a pattern that matches nothing.
  Pool pool(const std::vector<std::string>& patterns) const;

 private:
  const store::Store& store_;
  std::vector<CorpusDocument> documents_;
  std::vector<bool> is_left_;  // for each document: whether the filter accepts it
  // By ids of the catalogue.
  std::unordered_map<std::int64_t, DocumentId> index_of_;
  std::uint32_t page_count_ = 0;
  std::vector<std::string> languages_;
  // Guards the tables below.
  mutable std::mutex mutex_;
  mutable std::optional<ChunkTable> chunks_;
  mutable std::optional<ElementTable> elements_;
  // Guards the keyword indexes by field, whose construction uses the tables above.
  mutable std::mutex keywords_mutex_;
  mutable std::map<std::string, std::unique_ptr<const KeywordIndex>> keywords_;
};

}  // namespace fineprint::session
