// Builds the JSON of one question.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

#include "report/entries.h"
#include "report/facets.h"
#include "report/page_pictures.h"

namespace fineprint::report {

// Stores each text once and refers to it by its index.
class Names {
 public:
  std::size_t place(const std::string& name) {
    const auto [found, is_new] = places_.emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return found->second;
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> places_;
};

// The lists that questions refer to by index.
struct Places {
  std::vector<Names> values;  // of each facet
  Names docs;
  PagePictures& pictures;
};

// Returns
// {"id", "verdict", "value"?, "facets"?, "question", "gold"?, "evidence"?, "answer"?, "declined"?,
//  "confidence"?, "answerability"?, "citations"?, "retrieved"?, "usage"?, "limit"?, "fallback"?,
//  "unread"?, "trace"?, "error"?, "scored"?, "quirks"?, "scorer_error"?}
Json question_data(const Entry& entry, const std::vector<Facet>& facets, Places* places);

// Returns the documents that the entry's question is limited to.
const std::vector<std::string>& docs_of(const Entry& entry);

}  // namespace fineprint::report
