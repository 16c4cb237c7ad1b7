// A read-only view of a store in which every page has a dense number.
#include "fineprint/session/corpus.h"

#include <algorithm>
#include <set>

#include <fnmatch.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::session {

bool names_document(const std::string& pattern, const std::string& doc) {
  const std::string name = doc.substr(doc.rfind('/') + 1);
  if (pattern == doc || pattern == name) return true;
  return fnmatch(pattern.c_str(), doc.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

namespace {

// Whether the document's file is at or under this absolute path.
bool lies_under(std::string place, const std::string& path) {
  while (place.ends_with('/')) place.pop_back();
  return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '/');
}

bool means(const std::string& pattern, const store::DocumentRow& row) {
  if (pattern.starts_with('/')) return lies_under(pattern, row.path);
  return names_document(pattern, row.doc);
}

}  // namespace

Corpus::Corpus(const store::Store& store) : store_(store) {
  std::set<std::string> languages;
  for (store::DocumentRow& row : store.documents()) {
    index_of_.emplace(row.id, static_cast<std::uint32_t>(documents_.size()));
    const auto pages = static_cast<std::uint32_t>(row.page_count);
    languages.insert(row.languages.begin(), row.languages.end());
    documents_.push_back({std::move(row), page_count_});
    page_count_ += pages;
  }
  languages_.assign(languages.begin(), languages.end());
}

std::uint32_t Corpus::document_of(std::uint32_t dense_page) const {
  if (dense_page >= page_count_) {
    throw Error(ErrorCode::internal, format("page number {} of {} does not exist",
                                            std::int64_t{dense_page}, page_count_));
  }
  // The last document that begins at or before the page; ones without pages share a beginning
  // with their successor and come before it.
  const auto after = std::upper_bound(documents_.begin(), documents_.end(), dense_page,
                                      [](std::uint32_t page, const CorpusDocument& document) {
                                        return page < document.first_page;
                                      });
  return static_cast<std::uint32_t>(after - documents_.begin() - 1);
}

PageRef Corpus::ref(std::uint32_t dense_page) const {
  const CorpusDocument& document = documents_[document_of(dense_page)];
  return {document.row.doc, static_cast<int>(dense_page - document.first_page) + 1};
}

Page Corpus::page(std::uint32_t dense_page) const {
  const CorpusDocument& document = documents_[document_of(dense_page)];
  return store_.page(document.row.id, static_cast<int>(dense_page - document.first_page) + 1);
}

Pool Corpus::pool(const std::vector<std::string>& patterns) const {
  Pool pool;
  std::vector<bool> matched(patterns.size(), false);
  for (std::uint32_t i = 0; i < documents_.size(); ++i) {
    bool wanted = patterns.empty();
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      if (means(patterns[p], documents_[i].row)) wanted = matched[p] = true;
    }
    if (wanted) pool.push_back(i);
  }
  const auto missed = std::find(matched.begin(), matched.end(), false);
  if (missed != matched.end()) {
    throw Error(
        ErrorCode::input,
        format("no document in {} matches \"{}\" (a relative path, a file name, a glob, or an "
               "absolute path of a file or folder)",
               store_.dir(), patterns[static_cast<std::size_t>(missed - matched.begin())]));
  }
  return pool;
}

}  // namespace fineprint::session
