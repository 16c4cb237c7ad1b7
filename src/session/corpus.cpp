// A read-only view of a store that numbers all pages densely.
#include "fineprint/session/corpus.h"

#include <algorithm>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::session {

namespace {

// Returns the ids of the documents that the filter accepts.
std::set<std::int64_t> left_by(const DocumentFilter& filter,
                               const std::vector<store::DocumentRow>& rows,
                               const std::string& dir) {
  std::set<std::int64_t> ids;
  for (const store::DocumentRow& row : filtered(rows, filter, dir)) ids.insert(row.id);
  return ids;
}

}  // namespace

// Skips the filter if it is empty, because then every document is left.
Corpus::Corpus(const store::Store& store, const DocumentFilter& filter) : store_(store) {
  std::vector<store::DocumentRow> rows = store.documents();
  const bool all = filter.is_empty();
  const auto left = all ? std::set<std::int64_t>() : left_by(filter, rows, store.dir());
  std::set<std::string> languages;
  for (store::DocumentRow& row : rows) {
    is_left_.push_back(all || left.contains(row.id));
    index_of_.emplace(row.id, DocumentId(static_cast<std::uint32_t>(documents_.size())));
    const auto pages = static_cast<std::uint32_t>(row.page_count);
    languages.insert(row.languages.begin(), row.languages.end());
    documents_.push_back({std::move(row), PageId(page_count_)});
    page_count_ += pages;
  }
  languages_.assign(languages.begin(), languages.end());
}

DocumentId Corpus::document_of(PageId dense_page) const {
  if (dense_page.value >= page_count_) {
    throw Error(ErrorCode::internal, format("there is no page id {}; the corpus has {} pages",
                                            std::int64_t{dense_page.value}, page_count_));
  }
  // Finds the last document that begins at or before the page. Documents without pages begin where
  // their successor does, and come before it.
  const auto after = std::upper_bound(
      documents_.begin(), documents_.end(), dense_page,
      [](PageId page, const CorpusDocument& document) { return page < document.first_page; });
  return DocumentId(static_cast<std::uint32_t>(after - documents_.begin() - 1));
}

std::optional<DocumentId> Corpus::document_named(std::string_view doc) const {
  const auto found = std::ranges::find_if(
      documents_, [&](const CorpusDocument& document) { return document.row.doc == doc; });
  if (found == documents_.end()) return std::nullopt;
  return DocumentId(static_cast<std::uint32_t>(found - documents_.begin()));
}

PageRef Corpus::ref(PageId dense_page) const {
  const CorpusDocument& document = documents_[document_of(dense_page).value];
  return {document.row.doc, static_cast<int>(dense_page - document.first_page) + 1};
}

// Reads the page from the store each time. Pages are not kept.
Page Corpus::page(PageId dense_page) const {
  const CorpusDocument& document = documents_[document_of(dense_page).value];
  return store_.page(document.row.id, static_cast<int>(dense_page - document.first_page) + 1);
}

// Marks the patterns that matched, so that one without a match can be named.
Pool Corpus::pool(const std::vector<std::string>& patterns) const {
  Pool pool;
  std::vector<bool> matched(patterns.size(), false);
  for (std::uint32_t i = 0; i < documents_.size(); ++i) {
    if (!is_left_[i]) continue;
    const store::DocumentRow& row = documents_[i].row;
    bool wanted = patterns.empty();
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      if (names_document(patterns[p], row.doc, row.path)) wanted = matched[p] = true;
    }
    if (wanted) pool.push_back(DocumentId(i));
  }
  const auto missed = std::find(matched.begin(), matched.end(), false);
  if (missed != matched.end()) {
    throw Error(
        ErrorCode::input,
        format(
            "no document in {}{} matches \"{}\" (a relative path, a file name, a glob, or an "
            "absolute path of a file or folder)",
            store_.dir(),
            std::ranges::count(is_left_, false) > 0 ? " that --doc, --since and --kind leave" : "",
            patterns[static_cast<std::size_t>(missed - matched.begin())]));
  }
  return pool;
}

}  // namespace fineprint::session
