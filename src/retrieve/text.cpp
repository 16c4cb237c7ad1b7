// Search by meaning: the question's vector against the vectors of all chunks.
#include <cmath>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/dense.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

// The question's direction; with an expansion, halfway between the two.
std::vector<float> query_vector(const models::Embedder& encoder, const Query& query) {
  std::vector<std::string> texts = {query.core};
  if (!query.expansion.empty()) texts.push_back(query.expansion);
  const Matrix vectors = encoder.embed(texts, models::TextRole::query);
  std::vector<float> sum(vectors.cols, 0.0f);
  for (std::size_t row = 0; row < vectors.rows; ++row) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += vectors.row(row)[i];
  }
  double squares = 0;
  for (const float value : sum) squares += static_cast<double>(value) * value;
  const double norm = std::sqrt(squares);
  if (norm > 0) {
    for (float& value : sum) value = static_cast<float>(value / norm);
  }
  return sum;
}

}  // namespace

Ranking by_text(const session::Context& context, const Query& query, const session::Pool& pool) {
  const session::Corpus& corpus = context.session.corpus();
  const session::ChunkTable& chunks = corpus.chunks();
  if (corpus.page_count() == 0) return {};  // nothing is worth loading a model for
  if (!corpus.store().model("text")) {
    throw Error(ErrorCode::store,
                format("{} was not prepared for the scorer \"text\"; index again with --scorer "
                       "bm25,text, or search with --scorer bm25",
                       corpus.store().dir()));
  }
  const std::vector<float> direction = query_vector(context.session.text_encoder(), query);
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  std::vector<float> scores(chunks.page.size(), kNothing);
  std::vector<bool> in_pool(corpus.documents().size());
  for (const std::uint32_t document : pool) in_pool[document] = true;
  for (const store::VectorBlock& block : corpus.store().vectors("text")) {
    const std::uint32_t document = corpus.index_of(block.document);
    if (!in_pool[document]) continue;
    score::dot_rows(direction.data(), block.values, block.rows, block.dim,
                    scores.data() + chunks.first[document]);
  }
  return rank_by_best_chunk(corpus, pool, scores, kNothing);
}

}  // namespace fineprint::retrieve
