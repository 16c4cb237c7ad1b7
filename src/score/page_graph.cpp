// Links pages whose vectors resemble each other.
#include "fineprint/score/page_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "fineprint/core/matrix.h"

namespace fineprint::score {
namespace {

// [pages, pages]. NaN if a page has no vectors, a zero mean, or a NaN.
using Similarities = std::vector<double>;
constexpr double kNoSimilarity = std::numeric_limits<double>::quiet_NaN();

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) {
    sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  }
  return sum;
}

// Returns the products of the pages' mean vectors, divided by their lengths if `by_length`. The
// mean of a page without vectors, or of vectors that cancel out, has the length 0. Its products are
// made NaN, because 0 would link it by a threshold below 0.
Similarities mean_products(const VectorBags& pages, bool by_length) {
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
      const double both = lengths[a] * lengths[b];
      const double product = both > 0 ? dot(means[a], means[b]) : kNoSimilarity;
      similar[a * n + b] = by_length ? product / both : product;
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

Similarities similarities(const VectorBags& pages, GraphSimilarity similarity) {
  if (similarity == GraphSimilarity::max_sim) return normalised_max_sims(pages);
  return mean_products(pages, similarity == GraphSimilarity::mean_cosine);
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

const OptionNames<GraphSimilarity>& graph_similarity_names() {
  static const OptionNames<GraphSimilarity> names = {
      {"meanpool_cosine", GraphSimilarity::mean_cosine},
      {"meanpool_dot", GraphSimilarity::mean_dot},
      {"maxsim_norm", GraphSimilarity::max_sim}};
  return names;
}

std::string_view name_of(GraphSimilarity similarity) {
  for (const auto& [name, value] : graph_similarity_names()) {
    if (value == similarity) return name;
  }
  return "unknown";
}

PageGraph page_graph(const VectorBags& pages, const GraphOptions& options) {
  const std::size_t n = pages.pages();
  PageGraph graph(n);
  if (n < static_cast<std::size_t>(std::max(0, options.smallest))) return graph;
  const Similarities similar = similarities(pages, options.similarity);
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
