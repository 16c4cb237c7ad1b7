// Finds pages of the store by the names that answers and gold questions use.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/session/corpus.h"

namespace fineprint::report {

class PageFinder {
 public:
  // `corpus` must outlive the object.
  explicit PageFinder(const session::Corpus& corpus) : corpus_(corpus) {}

  // Returns the page. Its document may have its name in the store, or a name that matches exactly
  // one document: a file name, a glob, or the end of a path. An empty name means the only document
  // of `docs`. Returns nullopt if no document or several match, or if the document does not have
  // the page.
  std::optional<PageId> find(const PageRef& page, const std::vector<std::string>& docs = {});

 private:
  std::optional<DocumentId> document(const std::string& name);
  std::optional<DocumentId> only_document(const std::string& name) const;

  const session::Corpus& corpus_;
  std::map<std::string, std::optional<DocumentId>> known_;
};

}  // namespace fineprint::report
