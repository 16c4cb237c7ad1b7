// Reads page graphs and follows their links.
#include "fineprint/session/page_links.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::session {

PageLinks::PageLinks(const Corpus& corpus, std::string set, const LinkRule& rule)
    : corpus_(corpus), set_(std::move(set)), rule_(rule) {}

// Keeps the graphs that it has read, because a walk returns to the same document.
const std::vector<PageId>& PageLinks::of(PageId page) {
  const DocumentId document = corpus_.document_of(page);
  const PageId first = corpus_.documents()[document.value].first_page;
  auto found = links_.find(document);
  if (found == links_.end()) {
    std::optional<store::StoredGraph> stored = graph(document);
    if (!stored) refuse_missing(document);
    check_rule(document, *stored);
    // Stored graphs count pages from 0 within a document.
    std::vector<std::vector<PageId>> links(stored->neighbours.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      for (const std::uint32_t other : stored->neighbours[i]) links[i].push_back(first + other);
    }
    found = links_.emplace(document, std::move(links)).first;
  }
  return found->second.at(page - first);
}

void PageLinks::require(const Pool& pool) const {
  for (const DocumentId document : pool) {
    const std::optional<store::StoredGraph> stored = graph(document);
    if (!stored) continue;
    check_rule(document, *stored);
    return;
  }
  if (!pool.empty()) refuse_missing(pool.front());
}

std::optional<store::StoredGraph> PageLinks::graph(DocumentId document) const {
  return corpus_.store().page_graph(corpus_.documents()[document.value].row.id, set_);
}

namespace {

// Returns options as they are given to `index`.
std::string as_flags(const score::GraphOptions& made) {
  return format("--graph-sim {} --graph-knn {} --graph-theta {}", score::name_of(made.similarity),
                made.neighbours, made.threshold);
}

}  // namespace

// Compares with the stored options and not with the graph, which would have to be computed again.
void PageLinks::check_rule(DocumentId document, const store::StoredGraph& graph) const {
  score::GraphOptions wanted = graph.options;
  wanted.neighbours = rule_.neighbours.value_or(wanted.neighbours);
  wanted.threshold = rule_.threshold.value_or(wanted.threshold);
  wanted.similarity = rule_.similarity.value_or(wanted.similarity);
  if (wanted == graph.options) return;
  throw Error(ErrorCode::store,
              format("{}: the page graph of {} over the vectors \"{}\" was made with {}, but {} is "
                     "asked for; to make it again, run `fineprint index PATH... --store {} {}`",
                     corpus_.store().dir(), doc(document), set_, as_flags(graph.options),
                     as_flags(wanted), corpus_.store().dir(), as_flags(wanted)));
}

void PageLinks::refuse_missing(DocumentId document) const {
  throw Error(ErrorCode::store,
              format("{}: {} has no page graph over vectors \"{}\"; to make both, run `fineprint "
                     "index PATH... --store {} --retriever MODEL` with a model that reads page "
                     "images",
                     corpus_.store().dir(), doc(document), set_, corpus_.store().dir()));
}

std::string PageLinks::doc(DocumentId document) const {
  return corpus_.documents()[document.value].row.doc;
}

}  // namespace fineprint::session
