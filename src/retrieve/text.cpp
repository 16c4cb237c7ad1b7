// Searches by meaning: compares the question's vector with the vectors of all chunks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

// How many chunks one question may embed: less than a second's work on two cores.
constexpr std::size_t kChunksMade = 256;

// Returns the question's direction. With words of the glossary, it is halfway between the question
// and them, so that neither outweighs the other.
std::vector<float> query_direction(const PageSearch& search) {
  const session::Session& session = search.context.session;
  Matrix sum = session.embed_query(search.set, search.query.core);
  if (!search.query.expansion.empty()) {
    const Matrix expansion = session.embed_query(search.set, search.query.expansion);
    for (std::size_t i = 0; i < sum.cols; ++i) sum.values[i] += expansion.values[i];
  }
  double squares = 0;
  for (const float value : sum.values) squares += static_cast<double>(value) * value;
  const double norm = std::sqrt(squares);
  if (norm > 0) {
    for (float& value : sum.values) value = static_cast<float>(value / norm);
  }
  return sum.values;
}

// Returns the chunks of the pool that lack vectors and get them now, page by page: first the pages
// that match the question's words best. A page is taken with all its chunks, so that it is judged
// by all its text.
std::vector<std::uint32_t> chunks_to_make(const PageSearch& search,
                                          const session::VectorView& view) {
  const session::Corpus& corpus = search.context.session.corpus();
  const session::UnitTable& table = corpus.chunks();
  const Ranking words = rank_by_best_chunk(corpus, search.pool, bm25_of_chunks(search), 0.0F);
  std::vector<std::uint32_t> chunks;
  for (const std::uint32_t document : search.pool) {
    for (std::uint32_t chunk = table.first[document]; chunk < table.first[document + 1]; ++chunk) {
      if (view.find(chunk) == nullptr) chunks.push_back(chunk);
    }
  }
  if (chunks.size() <= kChunksMade) return chunks;
  const auto score = [&](std::uint32_t chunk) { return words.scores[table.page[chunk]]; };
  std::erase_if(chunks, [&](std::uint32_t chunk) { return !std::isfinite(score(chunk)); });
  std::ranges::stable_sort(chunks, [&](std::uint32_t a, std::uint32_t b) {
    return score(a) != score(b) ? score(a) > score(b) : table.page[a] < table.page[b];
  });
  std::size_t count = std::min(chunks.size(), kChunksMade);
  while (count > 0 && count < chunks.size() &&
         table.page[chunks[count]] == table.page[chunks[count - 1]]) {
    ++count;
  }
  chunks.resize(count);
  return chunks;
}

void score_chunks_made(const PageSearch& search, const session::VectorView& view,
                       const std::vector<float>& direction, std::vector<float>* scores) {
  const std::vector<std::uint32_t> chunks = chunks_to_make(search, view);
  if (chunks.empty()) return;
  const Matrix vectors = search.context.session.make_vectors(search.set, chunks);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::span<const float> row = vectors.row(i);
    (*scores)[chunks[i]] = std::inner_product(row.begin(), row.end(), direction.begin(), 0.0F);
  }
}

// Returns the scores of all chunks. If the set keeps codes, the best chunks get exact scores:
// enough of them for the first `pages_scored_exactly` pages.
std::vector<float> text_scores(const PageSearch& search) {
  const VectorScan scan(search);
  const std::vector<float> direction = query_direction(search);
  std::vector<float> scores =
      scan.all(products_with(direction), 1.0, pages_scored_exactly(search.options));
  const session::VectorView& view = search.context.session.vectors(search.set);
  if (view.missing() > 0) score_chunks_made(search, view, direction, &scores);
  return scores;
}

// Gives the mean score to units that have text but no score, because their vectors are still to be
// made. `unit_of_chunk`: the page of each chunk; empty if the units are the chunks themselves.
void fill_unknown(const PageSearch& search, const std::vector<std::uint32_t>& unit_of_chunk,
                  std::vector<float>* scores) {
  double sum = 0, known = 0;
  for (const float score : *scores) {
    if (!std::isfinite(score)) continue;
    sum += score;
    known += 1;
  }
  if (known == 0) return;
  const session::UnitTable& table = search.context.session.corpus().chunks();
  for (const std::uint32_t document : search.pool) {
    for (std::uint32_t chunk = table.first[document]; chunk < table.first[document + 1]; ++chunk) {
      float& score = (*scores)[unit_of_chunk.empty() ? chunk : unit_of_chunk[chunk]];
      if (!std::isfinite(score)) score = static_cast<float>(sum / known);
    }
  }
}

bool is_whole(const PageSearch& search) {
  return search.context.session.vectors(search.set).missing() == 0;
}

// Cosines may be negative and still rank, so no score is too low.
constexpr float kAnyScore = -std::numeric_limits<float>::infinity();

}  // namespace

Ranking by_text(const PageSearch& search) {
  const session::Corpus& corpus = search.context.session.corpus();
  Ranking ranking = rank_by_best_chunk(corpus, search.pool, text_scores(search), kAnyScore);
  if (!is_whole(search)) fill_unknown(search, corpus.chunks().page, &ranking.scores);
  return ranking;
}

Ranking elements_by_text(const PageSearch& search) {
  return {.scores = text_scores(search), .best_chunk = {}, .scale = 1};
}

Ranking chunks_by_text(const PageSearch& search) {
  Ranking ranking =
      rank_chunks(search.context.session.corpus(), search.pool, text_scores(search), kAnyScore);
  if (!is_whole(search)) fill_unknown(search, {}, &ranking.scores);
  return ranking;
}

}  // namespace fineprint::retrieve
