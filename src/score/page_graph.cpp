// Links pages whose vectors resemble each other.
#include "fineprint/score/page_graph.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fineprint/core/matrix.h"

namespace fineprint::score {
namespace {

// [pages, pages]. NaN if a page has no vectors, a zero mean, or a NaN.
using Similarities = std::vector<double>;

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  }
  return sum;
}

// A page without a direction divides by zero, which gives NaN as intended.
Similarities mean_cosines(const VectorBags& pages) {
  const std::size_t n = pages.pages();
  std::vector<std::vector<float>> means;
  std::vector<double> lengths;
  for (std::size_t p = 0; p < n; ++p) {
    means.push_back(mean_vector(pages.page(p)));
    lengths.push_back(std::sqrt(dot(means[p], means[p])));
  }
  Similarities similar(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      similar[a * n + b] = dot(means[a], means[b]) / (lengths[a] * lengths[b]);
    }
  }
  return similar;
}

Matrix decoded(const VectorRows& rows) {
  Matrix matrix{rows.count, rows.dim, std::vector<float>(rows.count * rows.dim)};
  for (std::size_t r = 0; r < rows.count; ++r) decode_row(rows, r, matrix.row(r).data());
  return matrix;
}

// With S(a, b) = MaxSim of page a as a query of page b, returns
// (S(a, b) / S(a, a) + S(b, a) / S(b, b)) / 2, because MaxSim alone depends on the number of
// vectors.
Similarities normalised_max_sims(const VectorBags& pages) {
  const std::size_t n = pages.pages();
  std::vector<float> scores(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    max_sim(decoded(pages.page(a)), pages, scores.data() + a * n);
  }
  const auto share = [&](std::size_t a, std::size_t b) {
    return static_cast<double>(scores[a * n + b]) / static_cast<double>(scores[a * n + a]);
  };
  Similarities similar(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) similar[a * n + b] = (share(a, b) + share(b, a)) / 2;
  }
  return similar;
}

// Returns the pages that page p names, most similar first; of equals the smaller number first.
std::vector<std::uint32_t> named_by(const Similarities& similar, std::size_t n, std::size_t p,
                                    const GraphOptions& options) {
  std::vector<std::uint32_t> named;
  for (std::uint32_t other = 0; other < n; ++other) {
    // NaN is below every threshold, so such pages get no edges.
    if (other != p && similar[p * n + other] >= options.threshold) named.push_back(other);
  }
  std::stable_sort(named.begin(), named.end(), [&](std::uint32_t a, std::uint32_t b) {
    return similar[p * n + a] > similar[p * n + b];
  });
  const auto most = static_cast<std::size_t>(std::max(0, options.neighbours));
  if (most != 0 && named.size() > most) named.resize(most);
  return named;
}

}  // namespace

PageGraph page_graph(const VectorBags& pages, const GraphOptions& options) {
  const std::size_t n = pages.pages();
  PageGraph graph(n);
  if (n < static_cast<std::size_t>(std::max(0, options.smallest))) return graph;
  const Similarities similar = options.similarity == GraphSimilarity::mean_cosine
                                   ? mean_cosines(pages)
                                   : normalised_max_sims(pages);
  std::vector<std::set<std::uint32_t>> neighbours(n);
  for (std::uint32_t p = 0; p < n; ++p) {
    for (const std::uint32_t other : named_by(similar, n, p, options)) {
      neighbours[p].insert(other);
      neighbours[other].insert(p);
    }
  }
  for (std::size_t p = 0; p < n; ++p) graph[p].assign(neighbours[p].begin(), neighbours[p].end());
  return graph;
}

}  // namespace fineprint::score
