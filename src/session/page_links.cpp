// Reads page graphs and follows their links.
#include "fineprint/session/page_links.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::session {

PageLinks::PageLinks(const Corpus& corpus, std::string set, const LinkRule& rule)
    : corpus_(corpus), set_(std::move(set)), rule_(rule) {}

// Keeps the graphs that it has read, because a walk returns to the same document.
const std::vector<std::uint32_t>& PageLinks::of(std::uint32_t page) {
  const std::uint32_t document = corpus_.document_of(page);
  const std::uint32_t first = corpus_.documents()[document].first_page;
  auto found = links_.find(document);
  if (found == links_.end()) {
    std::optional<store::StoredGraph> stored = graph(document);
    if (!stored) refuse_missing(document);
    check_rule(document, *stored);
    // Stored graphs count pages from 0 within a document.
    for (auto& linked : stored->neighbours) {
      for (std::uint32_t& other : linked) other += first;
    }
    found = links_.emplace(document, std::move(stored->neighbours)).first;
  }
  return found->second.at(page - first);
}

void PageLinks::require(const Pool& pool) const {
  for (const std::uint32_t document : pool) {
    const std::optional<store::StoredGraph> stored = graph(document);
    if (!stored) continue;
    check_rule(document, *stored);
    return;
  }
  if (!pool.empty()) refuse_missing(pool.front());
}

std::optional<store::StoredGraph> PageLinks::graph(std::uint32_t document) const {
  return corpus_.store().page_graph(corpus_.documents()[document].row.id, set_);
}

// Compares with the stored options and not with the graph, which would have to be computed again.
void PageLinks::check_rule(std::uint32_t document, const store::StoredGraph& graph) const {
  const int neighbours = rule_.neighbours.value_or(graph.options.neighbours);
  const double threshold = rule_.threshold.value_or(graph.options.threshold);
  if (neighbours == graph.options.neighbours && threshold == graph.options.threshold) return;
  throw Error(
      ErrorCode::store,
      format(
          "{}: the page graph of {} over the vectors \"{}\" was made with --graph-knn {} and "
          "--graph-theta {}, but {} and {} are asked for; to make it again, run `fineprint index "
          "PATH... --store {} --graph-knn {} --graph-theta {}`",
          corpus_.store().dir(), doc(document), set_, graph.options.neighbours,
          graph.options.threshold, neighbours, threshold, corpus_.store().dir(), neighbours,
          threshold));
}

void PageLinks::refuse_missing(std::uint32_t document) const {
  throw Error(ErrorCode::store,
              format("{}: {} has no page graph over vectors \"{}\"; to make both, run `fineprint "
                     "index PATH... --store {} --retriever MODEL` with a model that reads page "
                     "images",
                     corpus_.store().dir(), doc(document), set_, corpus_.store().dir()));
}

std::string PageLinks::doc(std::uint32_t document) const {
  return corpus_.documents()[document].row.doc;
}

}  // namespace fineprint::session
