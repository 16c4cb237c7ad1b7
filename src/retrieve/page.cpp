// Searches by page images with one vector each: by cosine, and by the hybrid mask.
#include <algorithm>
#include <cmath>

#include "fineprint/score/hybrid_mask.h"

#include "retrieve/outside_scan.h"
#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

double length_of(std::span<const float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

// Cosines are plain products, because all stored vectors have length 1; see VectorScan::all for the
// length of the query.
std::vector<float> cosines(const VectorScan& scan, const Matrix& query, std::size_t exact_pages) {
  return scan.all(products_with(query.values), length_of(query.values), exact_pages);
}

UnitScorer masked(const Matrix& query, const score::MaskOptions& options) {
  return {
      .on_cpu =
          [&query, &options](const score::VectorRows& rows,
                             std::span<const std::uint32_t> first_row, float* out) {
            score::hybrid_mask_rows(query.values.data(), rows_of(rows, first_row), options, out);
          },
      .on_gpu = [&query, &options](
                    const score::CudaTable& gpu, score::DeviceRows& rows,
                    float* out) { gpu.hybrid_mask_rows(rows, query.values.data(), options, out); }};
}

}  // namespace

Ranking by_page(const PageSearch& search) {
  const Matrix query = query_vectors(search);
  const std::size_t exact_pages = pages_scored_exactly(search.options);
  const bool outside = !search.options.vectors_at.empty();
  return {.scores = outside ? outside_scores(search, query, exact_pages)
                            : cosines(VectorScan(search), query, exact_pages),
          .best_chunk = {},
          .scale = 1};
}

Ranking by_hybrid_mask(const PageSearch& search) {
  const MaskSearch& mask = search.options.mask;
  const VectorScan scan(search);
  const Matrix query = query_vectors(search);
  const UnitScorer scorer = masked(query, mask.options);
  // Codes give no bound for the masked score, because the mask may change with the rounding: the
  // whole pool is scored by the originals.
  if (mask.full) return {.scores = scan.all(scorer, 0, 0), .best_chunk = {}, .scale = 1};
  const std::size_t shortlist = shortlist_of(search.options);
  const std::vector<UnitId> best = VectorScan::best(cosines(scan, query, shortlist), shortlist);
  return {.scores = scan.some(best, scorer), .best_chunk = {}, .scale = 1};
}

}  // namespace fineprint::retrieve
