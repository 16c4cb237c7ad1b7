// The graph that links the pages of a document which resemble each other, under the dense numbers
// of the corpus: the door of the page graph that `index` made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/session/corpus.h"

namespace fineprint::session {

// What the graphs must have been made with (`index --graph-knn N --graph-theta T`); absent: with
// any value.
struct LinkRule {
  std::optional<int> neighbours = {};
  std::optional<double> threshold = {};
};

// Reads the graph of a document when one of its pages is first asked about. For one question: not
// shared between threads.
class PageLinks {
 public:
  // Graphs over the vector set of this name ("late"). The corpus must outlive it.
  PageLinks(const Corpus& corpus, std::string set, const LinkRule& rule);

  // Dense numbers of the pages linked with this one, all of its own document, ascending; none when
  // the document is too small for a graph. Throws Error(store) naming the `index` command that
  // helps when the document has no graph over the set, or one by another rule.
  const std::vector<std::uint32_t>& of(std::uint32_t page);

  // Throws what `of` would for every page of these documents; one document with a graph is enough.
  void require(const Pool& pool) const;

 private:
  std::optional<store::StoredGraph> graph(std::uint32_t document) const;
  // Throws Error(store) for a graph by another rule.
  void check_rule(std::uint32_t document, const store::StoredGraph& graph) const;
  [[noreturn]] void refuse_missing(std::uint32_t document) const;
  std::string doc(std::uint32_t document) const;

  const Corpus& corpus_;
  const std::string set_;
  const LinkRule rule_;
  std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> links_;  // by document
};

}  // namespace fineprint::session
