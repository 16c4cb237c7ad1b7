// Reads the page graphs of a store, which link similar pages of one document, by page id.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/score/page_graph.h"
#include "fineprint/session/corpus.h"

namespace fineprint::session {

// The options that graphs must have been made with (`index --graph-sim NAME --graph-knn N
// --graph-theta T`). An absent value accepts any.
struct LinkRule {
  std::optional<int> neighbours = {};
  std::optional<double> threshold = {};
  std::optional<score::GraphSimilarity> similarity = {};
};

// Reads the graph of a document when one of its pages is first asked about. Belongs to one
// question: not safe from several threads.
class PageLinks {
 public:
  // Uses graphs over the vector set of this name, for example "late". `corpus` must outlive the
  // object.
  PageLinks(const Corpus& corpus, std::string set, const LinkRule& rule);

  // Returns the pages linked with this one, ascending. All are of the same document; there are none
  // if the document is too small for a graph. Throws Error(store) naming the `index` command that
  // helps if the document has no graph over the set, or one made with other options.
  const std::vector<PageId>& of(PageId page);

  // Checks in advance that these documents have usable graphs. Throws what of() throws if no
  // document has a graph; one document with a graph is enough.
  void require(const Pool& pool) const;

 private:
  std::optional<store::StoredGraph> graph(DocumentId document) const;
  // Throws Error(store) if the graph was made with other options.
  void check_rule(DocumentId document, const store::StoredGraph& graph) const;
  [[noreturn]] void refuse_missing(DocumentId document) const;
  std::string doc(DocumentId document) const;

  const Corpus& corpus_;
  const std::string set_;
  const LinkRule rule_;
  std::map<DocumentId, std::vector<std::vector<PageId>>> links_;
};

}  // namespace fineprint::session
