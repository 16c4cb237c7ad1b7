// Exact late interaction, the rows that explain a score, and the mean vector of a page.
#include "fineprint/score/max_sim.h"

#include <algorithm>
#include <cmath>

#include "fineprint/score/dense.h"

#include "score/max_sim_scan.h"

namespace fineprint::score {

void max_sim(const Matrix& query, const VectorBags& pages, float* scores) {
  MaxSimScan scan(query);
  for (std::size_t p = 0; p < pages.pages(); ++p) scores[p] = scan.score(pages.page(p));
}

std::vector<std::uint32_t> best_rows(const Matrix& query, const VectorRows& rows) {
  std::vector<std::uint32_t> best(rows.count == 0 ? 0 : query.rows);
  std::vector<float> products(rows.count);
  for (std::size_t q = 0; q < best.size(); ++q) {
    dot_rows(query.row(q).data(), rows, products.data());
    // NaN counts as largest, as in the score.
    const auto largest = std::max_element(products.begin(), products.end(), [](float a, float b) {
      return std::isnan(a) ? !std::isnan(b) : a < b;
    });
    best[q] = static_cast<std::uint32_t>(largest - products.begin());
  }
  return best;
}

// Sums in float64, so that pages with thousands of vectors lose few digits.
std::vector<float> mean_vector(const VectorRows& rows) {
  std::vector<double> sums(rows.dim, 0);
  std::vector<float> row(rows.dim);
  for (std::size_t r = 0; r < rows.count; ++r) {
    decode_row(rows, r, row.data());
    for (std::size_t d = 0; d < rows.dim; ++d) sums[d] += static_cast<double>(row[d]);
  }
  const double count = rows.count == 0 ? 1 : static_cast<double>(rows.count);
  std::vector<float> mean(rows.dim);
  for (std::size_t d = 0; d < rows.dim; ++d) mean[d] = static_cast<float>(sums[d] / count);
  return mean;
}

}  // namespace fineprint::score
