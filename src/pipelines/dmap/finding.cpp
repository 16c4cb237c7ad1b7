// Finds pages by document maps for searches and for other pipelines.
#include "pipelines/dmap/finding.h"

#include <algorithm>
#include <cstdint>

#include "fineprint/docmap/stored_map.h"

#include "pipelines/dmap/agents.h"
#include "pipelines/dmap/options.h"
#include "pipelines/dmap/retrieval.h"

namespace fineprint::pipelines::dmap {
namespace {

session::Pool pool_of(const session::Corpus& corpus, const retrieve::SearchOptions& search) {
  return search.pool ? *search.pool : corpus.pool(search.docs);
}

// Returns the search that finds documents: without the caller's cuts, which are meant for the pages
// that the map gives.
retrieve::SearchOptions document_search(const PipelineOptions& options) {
  retrieve::SearchOptions search = options.search;
  search.scorers = dmap_options().read(options.own).finding.document_scorers;
  search.rankers = {};
  search.fusion = retrieve::Fusion::weighted;
  search.adaptive = false;
  search.min_score.reset();
  search.rerank.clear();
  search.explain = false;
  return search;
}

// Returns the documents of the best pages, as indices into Corpus::documents(), at most `most`.
std::vector<DocumentId> documents_of_best_pages(session::Context& context,
                                                const std::string& question,
                                                const PipelineOptions& options, std::size_t most) {
  const session::Corpus& corpus = context.session.corpus();
  session::Pool pool = pool_of(corpus, options.search);
  // As many documents as are wanted need no search to be chosen; their order is that of the store.
  if (pool.size() <= most) return {pool.begin(), pool.end()};
  retrieve::SearchOptions search = document_search(options);
  // The best pages may all be from one document.
  search.k = static_cast<int>(std::max(corpus.page_count(), 1U));
  std::vector<DocumentId> documents;
  for (const retrieve::FoundPage& page : retrieve::search(context, question, search)) {
    const DocumentId document = corpus.document_of(page.page);
    if (documents.size() == most) break;
    if (std::ranges::find(documents, document) == documents.end()) documents.push_back(document);
  }
  return documents;
}

// Returns the ids of the pages located in one document, by relevance.
std::vector<PageId> pages_located(session::Context& context, DocumentId document,
                                  const Agents& asked, int max_tokens,
                                  const agents::Reserve& reserve) {
  const session::Corpus& corpus = context.session.corpus();
  const docmap::DocumentMap map =
      docmap::whole_map(corpus.store(), corpus.documents()[document.value].row);
  const Located place = located(context, document, map, asked.locate(map, max_tokens, reserve));
  std::vector<PageId> pages;
  for (const int page : all_located(place)) pages.push_back(corpus.page_number(document, page));
  return pages;
}

}  // namespace

std::vector<retrieve::RankedPage> rank_located(session::Context& context,
                                               const std::string& question,
                                               const PipelineOptions& options,
                                               const agents::Reserve& reserve) {
  const Options own = dmap_options().read(options.own);
  const Agents asked(context, question, options.answer.prompts);
  std::vector<std::vector<PageId>> lists;
  std::size_t longest = 0;
  for (const DocumentId document : documents_of_best_pages(
           context, question, options, static_cast<std::size_t>(own.finding.documents))) {
    lists.push_back(pages_located(context, document, asked, own.locate_max_tokens, reserve));
    longest = std::max(longest, lists.back().size());
  }
  std::vector<retrieve::RankedPage> ranked;
  for (std::size_t i = 0; i < longest; ++i) {
    for (const std::vector<PageId>& pages : lists) {
      if (i >= pages.size()) continue;
      ranked.push_back({pages[i], 1 / static_cast<double>(ranked.size() + 1)});
    }
  }
  return ranked;
}

void require_map(const session::Corpus& corpus) {
  const bool has_map = std::ranges::any_of(corpus.documents(), [&](const auto& document) {
    return corpus.store().document_map(document.row.id).has_value();
  });
  if (!has_map && !corpus.documents().empty()) {
    // Throws with the `index` command that makes maps.
    docmap::stored_map(corpus.store(), corpus.documents().front().row);
  }
}

void check_finding(const session::Session& session, const PipelineOptions& options) {
  const session::Corpus& corpus = session.corpus();
  require_map(corpus);
  const auto most = static_cast<std::size_t>(dmap_options().read(options.own).finding.documents);
  if (pool_of(corpus, options.search).size() > most) {
    retrieve::require_scorers(session, document_search(options));
  }
  for (const char* agent : {"dmap.locate", "dmap.locate_sections"}) session.generator(agent);
}

}  // namespace fineprint::pipelines::dmap
