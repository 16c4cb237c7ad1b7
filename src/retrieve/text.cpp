// Searches by meaning: compares the question's vector with the vectors of all chunks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "retrieve/outside_scan.h"
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
  // A vector of zeros has no direction and then scores every chunk 0.
  if (norm > 0) {
    for (float& value : sum.values) value = static_cast<float>(value / norm);
  }
  return sum.values;
}

// Returns the chunks of the pool that lack vectors and get them now, page by page: first the pages
// that match the question's words best. A page is taken with all its chunks, so that it is judged
// by all its text.
std::vector<ChunkId> chunks_to_make(const PageSearch& search, const session::VectorView& view) {
  const session::Corpus& corpus = search.context.session.corpus();
  const session::ChunkTable& table = corpus.chunks();
  const Ranking words = rank_by_best_chunk(corpus, search.pool, bm25_of_chunks(search), 0.0F);
  std::vector<ChunkId> chunks;
  for (const DocumentId document : search.pool) {
    for (ChunkId chunk = table.begin_of(document); chunk < table.end_of(document); ++chunk) {
      if (view.find(as_unit(chunk)) == nullptr) chunks.push_back(chunk);
    }
  }
  if (chunks.size() <= kChunksMade) return chunks;
  const auto score = [&](ChunkId chunk) { return words.scores[table.page_of(chunk).value]; };
  std::erase_if(chunks, [&](ChunkId chunk) { return !std::isfinite(score(chunk)); });
  std::ranges::stable_sort(chunks, [&](ChunkId a, ChunkId b) {
    return score(a) != score(b) ? score(a) > score(b) : table.page_of(a) < table.page_of(b);
  });
  std::size_t count = std::min(chunks.size(), kChunksMade);
  while (count > 0 && count < chunks.size() &&
         table.page_of(chunks[count]) == table.page_of(chunks[count - 1])) {
    ++count;
  }
  chunks.resize(count);
  return chunks;
}

void score_chunks_made(const PageSearch& search, const session::VectorView& view,
                       const std::vector<float>& direction, std::vector<float>* scores) {
  const std::vector<ChunkId> chunks = chunks_to_make(search, view);
  if (chunks.empty()) return;
  const Matrix vectors = search.context.session.make_vectors(search.set, chunks);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::span<const float> row = vectors.row(i);
    (*scores)[chunks[i].value] =
        std::inner_product(row.begin(), row.end(), direction.begin(), 0.0F);
  }
}

// Returns the scores of all chunks. If the set keeps codes, the best chunks get exact scores:
// enough of them for the first `pages_scored_exactly` pages.
std::vector<float> text_scores(const PageSearch& search) {
  const VectorScan scan(search);
  const std::vector<float> direction = query_direction(search);
  const std::size_t exact_pages = pages_scored_exactly(search.options);
  const bool outside = !search.options.vectors_at.empty();
  std::vector<float> scores =
      outside ? outside_scores(search, {1, direction.size(), direction}, exact_pages)
              : scan.all(products_with(direction), 1.0, exact_pages);
  const session::VectorView& view = search.context.session.vectors(search.set);
  if (view.missing() > 0) score_chunks_made(search, view, direction, &scores);
  return scores;
}

// Gives the mean score to units that have text but no score, because their vectors are still to be
// made. `are_pages`: the units are pages; otherwise they are chunks.
void fill_unknown(const PageSearch& search, bool are_pages, std::vector<float>* scores) {
  double sum = 0, known = 0;
  for (const float score : *scores) {
    if (!std::isfinite(score)) continue;
    sum += score;
    known += 1;
  }
  if (known == 0) return;
  const session::ChunkTable& table = search.context.session.corpus().chunks();
  for (const DocumentId document : search.pool) {
    for (ChunkId chunk = table.begin_of(document); chunk < table.end_of(document); ++chunk) {
      const UnitId unit = are_pages ? as_unit(table.page_of(chunk)) : as_unit(chunk);
      float& score = (*scores)[unit.value];
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
  if (!is_whole(search)) fill_unknown(search, true, &ranking.scores);
  return ranking;
}

Ranking elements_by_text(const PageSearch& search) {
  return {.scores = text_scores(search), .best_chunk = {}, .scale = 1};
}

Ranking chunks_by_text(const PageSearch& search) {
  Ranking ranking =
      rank_chunks(search.context.session.corpus(), search.pool, text_scores(search), kAnyScore);
  if (!is_whole(search)) fill_unknown(search, false, &ranking.scores);
  return ranking;
}

}  // namespace fineprint::retrieve
