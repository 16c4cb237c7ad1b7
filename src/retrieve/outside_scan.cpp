// Scores vectors that a database holds.
#include "retrieve/outside_scan.h"

#include <limits>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/pgvector/vector_table.h"

namespace fineprint::retrieve {
namespace {

[[noreturn]] void refuse_outside(const std::string& what) {
  throw Error(ErrorCode::usage, format("--vectors-at cannot be used {}", what));
}

// Returns the catalogue's ids of the pool's documents; nothing if these are all.
std::vector<std::int64_t> ids_of_pool(const session::Corpus& corpus, const session::Pool& pool) {
  std::vector<std::int64_t> ids;
  if (pool.size() == corpus.documents().size()) return ids;
  for (const DocumentId document : pool) ids.push_back(corpus.documents()[document.value].row.id);
  return ids;
}

UnitId unit_in_corpus(const session::Corpus& corpus, const store::VectorSet& set,
                      const pgvector::ScoredUnit& one) {
  const DocumentId document = corpus.index_of(one.document);
  switch (set.unit) {
    case store::VectorUnit::page:
      return as_unit(corpus.documents()[document.value].first_page) + one.unit;
    case store::VectorUnit::chunk:
      return as_unit(corpus.chunks().begin_of(document)) + one.unit;
    case store::VectorUnit::element:
      break;
  }
  return as_unit(corpus.elements().begin_of(document)) + one.unit;
}

}  // namespace

void check_outside(const SearchOptions& options, const std::vector<ChosenScorer>& scorers) {
  if (options.vectors_at.empty()) return;
  bool any = false;
  for (const ChosenScorer& scorer : scorers) {
    if (scorer.masks) refuse_outside(format("with the hybrid mask (--scorer {})", scorer.name));
    any |= !scorer.set.empty() && !scorer.set.starts_with("sparse");
  }
  if (!any) refuse_outside("without a scorer that compares vectors (text, page, late, late-text)");
  if (options.late_first > 0 || options.late_tokens > 0) {
    refuse_outside("with --late-first or --late-tokens: the database looks at all vectors");
  }
}

// Units with the best scores may be of few pages, so more are asked for until there are enough
// pages.
std::vector<float> outside_scores(const PageSearch& search, const Matrix& query,
                                  std::size_t pages) {
  const session::Corpus& corpus = search.context.session.corpus();
  const session::VectorView& view = search.context.session.vectors(search.set);
  const pgvector::VectorTable table(search.options.vectors_at, corpus.store(), view.set());
  const std::vector<std::int64_t> documents = ids_of_pool(corpus, search.pool);
  const bool alone = search.options.scorers.size() == 1;  // else all scores are summed
  std::vector<float> scores(view.unit_count(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t count = alone ? pages : 0;; count *= 4) {
    const auto best = table.best({.query = query,
                                  .max_sim = view.set().many_vectors,
                                  .documents = documents,
                                  .count = count});
    std::set<PageId> found;
    for (const pgvector::ScoredUnit& one : best) {
      const UnitId unit = unit_in_corpus(corpus, view.set(), one);
      scores[unit.value] = static_cast<float>(one.score);
      if (found.size() < pages) found.insert(view.page_of(unit));
    }
    if (count == 0 || best.size() < count || found.size() == pages) return scores;
  }
}

}  // namespace fineprint::retrieve
