// Pages of the store by the names that answers and gold questions give them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/session/corpus.h"

namespace fineprint::report {

class PageFinder {
 public:
  // `corpus` must outlive it.
  explicit PageFinder(const session::Corpus& corpus) : corpus_(corpus) {}

  // The page by its document's name in the store, or by what names one document of it alone: a file
  // name, a glob, the end of a path. An empty name is the one document of `docs`. nullopt where
  // that is no document or several, or one that does not have the page.
  std::optional<std::uint32_t> find(const PageRef& page, const std::vector<std::string>& docs = {});

 private:
  std::optional<std::uint32_t> document(const std::string& name);
  std::optional<std::uint32_t> only_document(const std::string& name) const;

  const session::Corpus& corpus_;
  std::map<std::string, std::optional<std::uint32_t>> known_;
};

}  // namespace fineprint::report
