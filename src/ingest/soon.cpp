// Prepares a store for a quick answer, and keeps what a question has made.
#include "fineprint/ingest/soon.h"

#include <algorithm>
#include <set>

#include "fineprint/core/budget.h"
#include "fineprint/core/trace.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/text/terms.h"

namespace fineprint::ingest {
namespace {

// A document with this share of a question's words is probably meant, so it is read even if it has
// so many times the allowed pages.
constexpr double kMeant = 0.5;
constexpr std::int64_t kPatience = 4;

// A document of the pool with waiting pages, and the share of the question's words that it has.
struct Waiting {
  const store::DocumentRow* row = nullptr;
  double likely = 0;
};

// Returns the best page's share of the question's words by document. Documents without any of the
// words are absent.
std::map<DocumentId, double> best_pages(const session::Session& session,
                                        const std::string& question,
                                        const std::vector<std::string>& within) {
  Trace trace(false);
  Budget budget;
  session::Context context(session, trace, budget);
  retrieve::SearchOptions options;
  options.scorers = {"bm25"};
  options.docs = within;
  options.k = static_cast<int>(std::max<std::uint32_t>(1, session.corpus().page_count()));
  std::map<DocumentId, double> best;
  for (const retrieve::FoundPage& page : retrieve::search(context, question, options)) {
    double& score = best[session.corpus().document_of(page.page)];
    score = std::max(score, page.score);
  }
  return best;
}

// Returns the share of the question's words that are in the document's title and file name. These
// are stemmed like the question, because the words of both are compared only with each other.
double share_of_name(const store::DocumentRow& row, const retrieve::Query& query) {
  const std::vector<std::string>& asked = query.asked_terms;
  if (asked.empty()) return 0;
  const std::vector<std::string> terms = text::terms(row.title + " " + row.doc, query.language);
  const std::set<std::string> held(terms.begin(), terms.end());
  const auto count =
      std::ranges::count_if(asked, [&](const auto& term) { return held.contains(term); });
  return static_cast<double>(count) / static_cast<double>(asked.size());
}

}  // namespace

Rest rest_of(const store::Store& store) {
  Rest left;
  for (const store::DocumentRow& row : store.documents()) left.pages += row.waiting_pages;
  for (const store::VectorSet& set : store.vector_sets()) {
    if (!store::is_of_chunk_texts(set)) continue;
    for (const auto& [document, ranges] : store.missing_vectors(set.name)) {
      for (const store::UnitRange& range : ranges) left.chunks += range.count;
    }
  }
  return left;
}

std::vector<std::string> likely_documents(const store::Store& store, const std::string& question,
                                          const std::vector<std::string>& within,
                                          std::int64_t most) {
  const session::Session session(store, session::SessionOptions{});
  const session::Corpus& corpus = session.corpus();
  const retrieve::Query asked = retrieve::prepare_query(question, corpus.languages());
  const std::map<DocumentId, double> best = best_pages(session, question, within);
  std::vector<Waiting> waiting;
  bool has_text = false;
  for (const DocumentId document : corpus.pool(within)) {
    const store::DocumentRow& row = corpus.documents()[document.value].row;
    const session::ChunkTable& chunks = corpus.chunks();
    has_text = has_text || chunks.end_of(document) > chunks.begin_of(document);
    if (row.waiting_pages == 0) continue;
    const auto found = best.find(document);
    const double by_pages = found == best.end() ? 0 : found->second;
    waiting.push_back({&row, std::max(by_pages, share_of_name(row, asked))});
  }
  std::ranges::stable_sort(waiting, std::ranges::greater(), &Waiting::likely);
  std::vector<std::string> paths;
  std::int64_t pages = 0;
  for (const Waiting& one : waiting) {
    const bool is_first = paths.empty();
    const bool fits = pages + one.row->waiting_pages <= most;
    const bool is_meant =
        is_first && one.likely >= kMeant && one.row->waiting_pages <= kPatience * most;
    if (!fits && !is_meant && (has_text || !is_first)) continue;
    pages += one.row->waiting_pages;
    paths.push_back(one.row->path);
  }
  return paths;
}

std::int64_t keep_made_vectors(const session::Session& session, store::Store& store) {
  std::int64_t kept = 0;
  for (const store::VectorSet& set : store.vector_sets()) {
    const std::vector<store::NewVectors> parts = session.made_vectors(set.name);
    if (parts.empty()) continue;
    store.put_vectors(set.name, parts);
    for (const store::NewVectors& part : parts) kept += part.units;
  }
  return kept;
}

}  // namespace fineprint::ingest
