// Finds documents by the names that a store uses.
#include "server/document_names.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/unicode.h"

#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostShown = 100;
constexpr std::size_t kMostFileNameBytes =
    200;  // of the usual 255, with room for temporary suffixes

// Messages repeat the name, so it is cut and made valid UTF-8 first.
std::string shown(const std::string& name) { return shortened(valid_utf8(name), kMostShown); }

Refusal no_document(const std::string& name) {
  return {404, format("the store has no document \"{}\"; list the documents to see their names",
                      shown(name))};
}

// Throws if a pattern matches nothing, because a misspelt name should not silently search nothing.
void add_matches(const session::Corpus& corpus, const std::string& pattern, session::Pool* pool) {
  if (pattern.size() > kMostPatternBytes) {
    throw Refusal(400, format("a pattern of documents has {} bytes; the limit is {}",
                              pattern.size(), kMostPatternBytes));
  }
  const std::size_t before = pool->size();
  const auto& documents = corpus.documents();
  for (std::uint32_t i = 0; i < documents.size(); ++i) {
    if (session::names_document(pattern, documents[i].row.doc)) pool->push_back(DocumentId(i));
  }
  if (pool->size() > before) return;
  throw no_document(pattern);
}

}  // namespace

// A document that several patterns match is searched once.
session::Pool pool_of(const session::Corpus& corpus, const std::vector<std::string>& patterns) {
  if (patterns.size() > kMostPatterns) {
    throw Refusal(400, format("{} patterns of documents were given; the limit is {}",
                              patterns.size(), kMostPatterns));
  }
  session::Pool pool;
  for (const std::string& pattern : patterns) add_matches(corpus, pattern, &pool);
  std::ranges::sort(pool);
  pool.erase(std::ranges::unique(pool).begin(), pool.end());
  return pool;
}

// No patterns here: a glob would make the page ambiguous.
PageId dense_page(const session::Corpus& corpus, const PageRef& ref) {
  const auto& documents = corpus.documents();
  const std::string wanted = composed_name(ref.doc);
  for (std::uint32_t i = 0; i < documents.size(); ++i) {
    const store::DocumentRow& row = documents[i].row;
    if (composed_name(row.doc) != wanted) continue;
    if (ref.page >= 1 && ref.page <= row.page_count) {
      return corpus.page_number(DocumentId(i), ref.page);
    }
    throw Refusal(404, format("{} has no page {}; its pages are 1 to {}", shown(ref.doc), ref.page,
                              row.page_count));
  }
  throw no_document(ref.doc);
}

// The name becomes a file name in the store's folder, so everything that could leave that folder or
// hide the file is refused.
std::string problem_of_name(const std::string& name) {
  if (name.empty()) return "the name is missing";
  if (name.size() > kMostFileNameBytes) {
    return format("the name has {} bytes; the limit is {}", name.size(), kMostFileNameBytes);
  }
  if (valid_utf8(name) != name) return "the name is not UTF-8";
  if (name.find('/') != std::string::npos || name.find('\\') != std::string::npos) {
    return "the name contains a slash; give a file name without folders";
  }
  if (name.front() == '.' || name.starts_with("~$")) return "the name is that of a hidden file";
  const bool has_control = std::ranges::any_of(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  return has_control ? "the name contains control characters" : "";
}

}  // namespace fineprint::server
