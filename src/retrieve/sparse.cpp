// Searches by the weights of tokens: products over posting lists.
#include <algorithm>
#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

// Returns the question's weights by token. With words of the glossary, they are the mean of the
// question's and theirs, so that neither outweighs the other.
std::map<std::uint32_t, float> query_weights(const PageSearch& search) {
  std::map<std::uint32_t, float> weights;
  const auto add = [&](const std::string& text, float share) {
    const Matrix entries = search.context.session.embed_query(search.set, text);
    for (std::size_t row = 0; row < entries.rows; ++row) {
      weights[static_cast<std::uint32_t>(entries.row(row)[0])] += share * entries.row(row)[1];
    }
  };
  if (search.query.expansion.empty()) {
    add(search.query.core, 1);
  } else {
    add(search.query.core, 0.5F);
    add(search.query.expansion, 0.5F);
  }
  return weights;
}

struct ScoredUnits {
  std::vector<float> scores;  // [chunks] or [pages]
  double scale = 1;           // see Ranking
};

// No unit scores more than one that has each token with its largest weight anywhere, so this brings
// scores to 0..1.
ScoredUnits score_units(const PageSearch& search, const session::KeywordIndex& index) {
  ScoredUnits out{std::vector<float>(index.unit_count()), 1};
  std::vector<score::Posting> postings;
  double most = 0;
  for (const auto& [token, weight] : query_weights(search)) {
    index.read(store::sparse_term(token), &postings);
    const float gain = weight / store::kWeightSteps;
    std::uint32_t largest = 0;
    for (const auto& [unit, steps] : postings) {
      out.scores[unit] += gain * static_cast<float>(steps);
      largest = std::max(largest, steps);
    }
    most += static_cast<double>(gain) * largest;
  }
  if (most > 0) out.scale = 1 / most;
  return out;
}

// Pages that share no token with the question get no score, as those whose chunks share none.
Ranking rank_by_page_scores(const PageSearch& search, std::span<const float> page_scores) {
  const session::Corpus& corpus = search.context.session.corpus();
  Ranking ranking = empty_ranking(corpus);
  for (const DocumentId document : search.pool) {
    const session::CorpusDocument& held = corpus.documents()[document.value];
    const std::uint32_t first = held.first_page.value;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(held.row.page_count); ++i) {
      if (page_scores[first + i] > 0) ranking.scores[first + i] = page_scores[first + i];
    }
  }
  return ranking;
}

}  // namespace

Ranking by_sparse(const PageSearch& search) {
  const session::KeywordIndex& index = search.context.session.sparse(search.set);
  const ScoredUnits units = score_units(search, index);
  Ranking ranking =
      index.unit() == store::VectorUnit::page
          ? rank_by_page_scores(search, units.scores)
          : rank_by_best_chunk(search.context.session.corpus(), search.pool, units.scores, 0.0F);
  ranking.scale = units.scale;
  return ranking;
}

Ranking chunks_by_sparse(const PageSearch& search) {
  const session::KeywordIndex& index = search.context.session.sparse(search.set);
  if (index.unit() == store::VectorUnit::page) {
    throw Error(ErrorCode::usage,
                format("the vectors \"{}\" weigh page images, not chunks of text; use bm25, text "
                       "or late-text",
                       search.set));
  }
  const ScoredUnits units = score_units(search, index);
  Ranking ranking = rank_chunks(search.context.session.corpus(), search.pool, units.scores, 0.0F);
  ranking.scale = units.scale;
  return ranking;
}

}  // namespace fineprint::retrieve
