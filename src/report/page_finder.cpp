// Finds pages by name. Each name is looked up once.
#include "report/page_finder.h"

namespace fineprint::report {
namespace {

bool is_end_of_path(const std::string& name, const std::string& doc) {
  return doc.size() > name.size() && doc.ends_with(name) &&
         doc[doc.size() - name.size() - 1] == '/';
}

}  // namespace

std::optional<PageId> PageFinder::find(const PageRef& page, const std::vector<std::string>& docs) {
  if (page.doc.empty() && docs.size() != 1) return std::nullopt;
  const auto index = document(page.doc.empty() ? docs.front() : page.doc);
  if (!index || page.page < 1) return std::nullopt;
  if (page.page > corpus_.documents()[index->value].row.page_count) return std::nullopt;
  return corpus_.page_number(*index, page.page);
}

// Ambiguous names are remembered, too: searching all documents for each citation would be slow.
std::optional<DocumentId> PageFinder::document(const std::string& name) {
  const auto [known, is_new] = known_.try_emplace(name);
  if (is_new) known->second = only_document(name);
  return known->second;
}

// Gold files often name documents by file name only, and stores by their path below the folder.
std::optional<DocumentId> PageFinder::only_document(const std::string& name) const {
  std::optional<DocumentId> found;
  const auto& documents = corpus_.documents();
  for (std::uint32_t i = 0; i < documents.size(); ++i) {
    const std::string& doc = documents[i].row.doc;
    // An exact name wins, even if it is also the end of other paths.
    if (doc == name) return DocumentId(i);
  }
  for (std::uint32_t i = 0; i < documents.size(); ++i) {
    const std::string& doc = documents[i].row.doc;
    if (!session::names_document(name, doc) && !is_end_of_path(name, doc)) continue;
    if (found) return std::nullopt;
    found = DocumentId(i);
  }
  return found;
}

}  // namespace fineprint::report
