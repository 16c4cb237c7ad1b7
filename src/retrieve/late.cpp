// Scores by late interaction: every vector of the question with every vector of a page or chunk.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "fineprint/score/dense.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/max_sim.h"

#include "retrieve/nearest_rows.h"
#include "retrieve/outside_scan.h"
#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

// Returns the sum of the lengths of the query's vectors: MaxSim changes by at most this much for
// each unit of distance by which rows move (see VectorScan::all).
double reach_of(const Matrix& query) {
  double sum = 0;
  for (std::size_t r = 0; r < query.rows; ++r) {
    double squares = 0;
    for (const float value : query.row(r)) squares += static_cast<double>(value) * value;
    sum += std::sqrt(squares);
  }
  return sum;
}

UnitScorer max_sims(const Matrix& query) {
  return {
      .on_cpu = [&query](const score::VectorRows& rows, std::span<const std::uint32_t> first_row,
                         float* out) { score::max_sim(query, {rows, first_row}, out); },
      .on_gpu = [&query](const score::CudaTable& gpu, score::DeviceRows& rows,
                         float* out) { gpu.max_sim(rows, query, out); }};
}

// Scores pages of a set that keeps codes and originals: the best `exact_pages` exactly, the others
// by their codes. Codes decide which pages, and which of their rows, can matter, so that only these
// are multiplied in float32.
std::vector<float> quick_max_sims(const VectorScan& scan, const Matrix& query,
                                  std::size_t exact_pages) {
  score::ExactMaxSim best(query, exact_pages);
  return scan.all(
      [&](const session::VectorPart& part, std::uint32_t first, std::uint32_t units, float* out) {
        const auto first_row = std::span(part.first_row).subspan(first, units + 1);
        best.score({part.rows, first_row}, std::span(part.errors).subspan(first, units),
                   {*part.exact, first_row}, out);
      });
}

// Applies the mask to pairs of a query vector and its best row, and sums the scores, one unit after
// the other.
UnitScorer masked_pairs(const Matrix& query, const score::MaskOptions& options) {
  return {[&query, &options](const score::VectorRows& rows,
                             std::span<const std::uint32_t> first_row, float* out) {
    for (std::size_t unit = 0; unit + 1 < first_row.size(); ++unit) {
      const score::VectorRows own = rows_of(rows, first_row.subspan(unit, 2));
      out[unit] = own.count == 0 ? std::numeric_limits<float>::quiet_NaN() : 0.0F;
      if (own.count == 0) continue;
      const std::vector<std::uint32_t> best = score::best_rows(query, own);
      for (std::size_t q = 0; q < query.rows; ++q) {
        float score = 0;
        score::hybrid_mask_rows(query.row(q).data(), own.slice(best[q], 1), options, &score);
        out[unit] += score;
      }
    }
  }};
}

// Returns the product of the question's mean with the mean of each unit's vectors.
std::vector<float> mean_products(const VectorScan& scan, const Matrix& query) {
  const Matrix& means = scan.view().means(scan.threads());
  const score::VectorRows query_rows{.type = score::VectorType::f32,
                                     .values = query.values.data(),
                                     .scales = nullptr,
                                     .count = query.rows,
                                     .dim = query.cols};
  const std::vector<float> direction = score::mean_vector(query_rows);
  std::vector<float> scores(means.rows);
  score::dot_rows(direction.data(),
                  {.type = score::VectorType::f32,
                   .values = means.values.data(),
                   .scales = nullptr,
                   .count = means.rows,
                   .dim = means.cols},
                  scores.data());
  for (UnitId unit; unit.value < scores.size(); ++unit) {
    if (!scan.in_pool(unit)) scores[unit.value] = std::numeric_limits<float>::quiet_NaN();
  }
  return scores;
}

std::vector<float> max_sims_by_signs(const VectorScan& scan, const Matrix& query) {
  const score::SignPages& signs = scan.view().signs(scan.threads());
  const score::SignQuery prepared(query, signs.centre());
  return scan.all(
      [&](const session::VectorPart& part, std::uint32_t first, std::uint32_t units, float* out) {
        signs.scores(prepared, part.first_unit.value + first, units, out);
      });
}

// Returns the units of the `pages` pages that are nearest to the question at a first look, each
// with all its chunks.
std::vector<UnitId> candidates(const VectorScan& scan, const Matrix& query, std::size_t pages,
                               LateFirst by) {
  const std::vector<float> scores =
      by == LateFirst::signs ? max_sims_by_signs(scan, query) : mean_products(scan, query);
  // Every page is one unit: no other units need an order.
  if (scan.view().set().unit == store::VectorUnit::page) return VectorScan::best(scores, pages);
  std::set<PageId> near;
  std::vector<UnitId> units;
  // Once enough pages are chosen, further chunks of these pages are still taken: a page is scored
  // by its best chunk, which need not be the one with the nearest mean.
  for (const UnitId unit : VectorScan::best(scores, scores.size())) {
    const PageId page = scan.view().page_of(unit);
    if (near.size() < pages) near.insert(page);
    if (near.contains(page)) units.push_back(unit);
  }
  return units;
}

std::vector<float> unit_scores(const PageSearch& search, const VectorScan& scan,
                               const Matrix& query, std::size_t exact_pages) {
  if (!search.options.vectors_at.empty()) return outside_scores(search, query, exact_pages);
  if (search.options.late_first <= 0) {
    // Chunks are excluded, because ExactMaxSim counts units where `exact_pages` counts pages.
    const store::VectorSet& set = scan.view().set();
    const bool quick = set.format.keep_exact && set.unit == store::VectorUnit::page &&
                       exact_pages > 0 && !scan.on_gpu();
    return quick ? quick_max_sims(scan, query, exact_pages)
                 : scan.all(max_sims(query), reach_of(query), exact_pages);
  }
  const auto count = std::max(static_cast<std::size_t>(search.options.late_first), exact_pages);
  return scan.some(candidates(scan, query, count, search.options.late_first_by), max_sims(query));
}

// Sums, over the question's vectors, the best product that was fetched of each page; NaN for pages
// of which no vector was fetched.
std::vector<float> fetched_sums(const std::vector<std::vector<NearRow>>& fetched,
                                std::size_t units) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> sums(units, kNone);
  std::vector<float> best(units, kNone);
  for (const std::vector<NearRow>& rows : fetched) {
    for (const NearRow& row : rows) {
      float& most = best[row.unit.value];
      if (!(most >= row.product)) most = row.product;
    }
    // Each page adds its best product once: taking it out resets `best` for the next vector.
    for (const NearRow& row : rows) {
      const float product = std::exchange(best[row.unit.value], kNone);
      if (std::isnan(product)) continue;  // already added
      float& sum = sums[row.unit.value];
      sum = (std::isnan(sum) ? 0.0F : sum) + product;
    }
  }
  return sums;
}

// Scores only pages that own vectors near to the question's.
// Source: M3DocRAG (arXiv 2411.04952), section 3.2; its code sums the fetched vectors.
std::vector<float> near_page_scores(const PageSearch& search, const VectorScan& scan,
                                    const Matrix& query) {
  const auto count = static_cast<std::size_t>(search.options.late_tokens);
  std::vector<float> sums =
      fetched_sums(nearest_rows(scan, query, count), scan.view().unit_count());
  if (!search.options.late_rescore) return sums;
  std::vector<UnitId> units;
  for (UnitId unit; unit.value < sums.size(); ++unit) {
    if (!std::isnan(sums[unit.value])) units.push_back(unit);
  }
  return scan.some(units, max_sims(query));
}

// Returns the factor that brings sums over the question's vectors to the scale of one cosine.
double mean_over(const Matrix& query) {
  return query.rows > 0 ? 1.0 / static_cast<double>(query.rows) : 1.0;
}

// Scores of units, and the factor that brings them to the scale of one cosine.
struct TextScores {
  std::vector<float> scores;
  double scale = 1;
};

TextScores late_text_scores(const PageSearch& search) {
  const VectorScan scan(search);
  const Matrix query = search.context.session.embed_query(search.set, search.query.question);
  return {unit_scores(search, scan, query, pages_scored_exactly(search.options)), mean_over(query)};
}

// Products may be negative and still rank, so no score is too low.
constexpr float kNoFloor = -std::numeric_limits<float>::infinity();

}  // namespace

Ranking by_late(const PageSearch& search) {
  const VectorScan scan(search);
  const Matrix query = query_vectors(search);
  const MaskSearch& mask = search.options.mask;
  const auto scores_of = [&](std::size_t exact_pages) {
    return search.options.late_tokens > 0 ? near_page_scores(search, scan, query)
                                          : unit_scores(search, scan, query, exact_pages);
  };
  if (!mask.late)
    return {.scores = scores_of(pages_scored_exactly(search.options)),
            .best_chunk = {},
            .scale = mean_over(query)};
  if (mask.full)
    return {.scores = scan.all(masked_pairs(query, mask.options), 0, 0),
            .best_chunk = {},
            .scale = mean_over(query)};
  const std::size_t shortlist = shortlist_of(search.options);
  const std::vector<float> scores = scores_of(shortlist);
  return {
      .scores = scan.some(VectorScan::best(scores, shortlist), masked_pairs(query, mask.options)),
      .best_chunk = {},
      .scale = mean_over(query)};
}

Ranking by_late_text(const PageSearch& search) {
  const TextScores chunks = late_text_scores(search);
  Ranking ranking =
      rank_by_best_chunk(search.context.session.corpus(), search.pool, chunks.scores, kNoFloor);
  ranking.scale = chunks.scale;
  return ranking;
}

Ranking elements_by_late_text(const PageSearch& search) {
  TextScores elements = late_text_scores(search);
  return {.scores = std::move(elements.scores), .best_chunk = {}, .scale = elements.scale};
}

Ranking chunks_by_late_text(const PageSearch& search) {
  const TextScores chunks = late_text_scores(search);
  Ranking ranking =
      rank_chunks(search.context.session.corpus(), search.pool, chunks.scores, kNoFloor);
  ranking.scale = chunks.scale;
  return ranking;
}

}  // namespace fineprint::retrieve
