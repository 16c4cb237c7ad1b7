// Compares late interaction, reciprocal rank fusion, and the measures of rankings.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/matrix.h"
#include "fineprint/metrics/ranking.h"
#include "fineprint/score/fusion.h"
#include "fineprint/score/max_sim.h"

#include "verify/method_case_checks.h"

namespace fineprint::verify {
namespace {

// ---- Late interaction ----

// The case's values are float64, and the kernel's are float32. They may differ by this many
// roundings of the largest score, which is all that so many products could add up to.
constexpr double kRoundings = 64;

struct Vectors {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;
  const double* row(std::size_t r) const { return values.data() + r * cols; }
};

Vectors vectors_of(MethodCase& method, const std::string& name) {
  const tensorfile::TensorView& view = method.tensor(name);
  if (view.shape.size() != 2) {
    throw Error(ErrorCode::model,
                format("{} of the case has {} axes, not 2", name, view.shape.size()));
  }
  return {static_cast<std::size_t>(view.shape[0]), static_cast<std::size_t>(view.shape[1]),
          method.doubles(view)};
}

// Checked here, because the inner product below would read past the shorter vector.
void check_widths(const Vectors& query, const Vectors& page) {
  if (query.cols == page.cols) return;
  throw Error(ErrorCode::model, format("vectors of the case are {} and {} wide; a query and a page "
                                       "must be of one encoder",
                                       query.cols, page.cols));
}

// The formula as it is printed in the paper.
double exact_max_sim(const Vectors& query, const Vectors& page) {
  double sum = 0;
  for (std::size_t q = 0; q < query.rows; ++q) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < page.rows; ++p) {
      best = std::max(
          best, std::inner_product(query.row(q), query.row(q) + query.cols, page.row(p), 0.0));
    }
    sum += best;
  }
  return sum;
}

// Runs the kernel that searches use, with all pages in one call.
std::vector<double> kernel_max_sim(const Vectors& query, const std::vector<Vectors>& pages) {
  std::vector<float> values;
  std::vector<std::uint32_t> first{0};
  for (const Vectors& page : pages) {
    values.insert(values.end(), page.values.begin(), page.values.end());
    first.push_back(first.back() + static_cast<std::uint32_t>(page.rows));
  }
  const Matrix matrix{query.rows, query.cols, {query.values.begin(), query.values.end()}};
  score::VectorBags bags;
  bags.rows.values = values.data();
  bags.rows.count = first.back();
  bags.rows.dim = query.cols;
  bags.first = first;
  std::vector<float> scores(pages.size());
  score::max_sim(matrix, bags, scores.data());
  return {scores.begin(), scores.end()};
}

void check_max_sim(MethodCase& method) {
  const Vectors expected = vectors_of(method, "maxsim.scores");
  std::vector<Vectors> pages;
  for (std::size_t p = 0; p < expected.cols; ++p) {
    pages.push_back(vectors_of(method, format("maxsim.page{}", p)));
  }
  double largest = 0;
  for (const double score : expected.values) largest = std::max(largest, std::abs(score));
  const double roundings = kRoundings * largest * std::numeric_limits<float>::epsilon();
  for (std::size_t q = 0; q < expected.rows; ++q) {
    const Vectors query = vectors_of(method, format("maxsim.query{}", q));
    std::vector<double> exact;
    for (const Vectors& page : pages) {
      check_widths(query, page);
      exact.push_back(exact_max_sim(query, page));
    }
    const std::span row(expected.row(q), expected.cols);
    method.compare("maxsim.formula", exact, row, method.tolerance("all"));
    method.compare("maxsim.kernel", kernel_max_sim(query, pages), row, roundings);
  }
}

// ---- Fusion ----

// Returns every item of the lists, in the order in which equal scores are ranked.
std::vector<std::string> items_of(const Json& lists) {
  std::set<std::string> names;
  for (const Json& list : lists) {
    for (const Json& name : list) names.insert(name.get<std::string>());
  }
  return {names.begin(), names.end()};
}

// Items are sorted by name, so the lower bound is the item's number.
std::uint32_t number_of(const std::string& name, const std::vector<std::string>& items) {
  const auto found = std::ranges::lower_bound(items, name);
  return static_cast<std::uint32_t>(found - items.begin());
}

// Only ranks matter to the fusion, so scores simply fall from 0. Items that a list lacks are NaN.
std::vector<score::Scored> fused(const Json& row, const std::vector<std::string>& items) {
  std::vector<std::vector<float>> scores;
  for (const Json& list : row.at("lists")) {
    scores.emplace_back(items.size(), std::numeric_limits<float>::quiet_NaN());
    float next = 0;
    for (const Json& name : list) {
      scores.back()[number_of(name.get<std::string>(), items)] = next--;
    }
  }
  std::vector<score::ScoreList> lists;
  for (const std::vector<float>& list : scores) lists.push_back({list, 1});
  return score::top_items(score::reciprocal_rank_fusion(lists, row.at("k").get<double>()), 0);
}

void check_fusion(MethodCase& method) {
  for (const Json& row : method.json().at("rrf")) {
    const std::vector<std::string> items = items_of(row.at("lists"));
    const std::vector<score::Scored> ours = fused(row, items);
    const Json& expected = row.at("fused");
    method.compare("rrf.length", static_cast<double>(ours.size()),
                   static_cast<double>(expected.size()), 0);
    for (std::size_t i = 0; i < std::min(ours.size(), expected.size()); ++i) {
      const std::uint32_t item = number_of(expected[i].at(0).get<std::string>(), items);
      method.compare("rrf.order", ours[i].item, item, 0);
      method.compare("rrf.scores", ours[i].score, expected[i].at(1).get<double>(),
                     method.tolerance("all"));
    }
  }
}

// ---- Measures ----

using Ranking = std::vector<PageRef>;
using GainsOfPages = std::map<PageRef, double>;

// The case ranks names; each becomes the first page of a document.
PageRef ref_of(const std::string& name) { return {name, 1}; }

struct Judged {
  Ranking ranking;
  std::set<PageRef> gold;
  GainsOfPages linear, exponential;
};

Judged judged_of(const Json& row) {
  Judged judged;
  for (const Json& name : row.at("ranking")) {
    judged.ranking.push_back(ref_of(name.get<std::string>()));
  }
  for (const auto& [name, relevance] : row.at("relevance").items()) {
    judged.gold.insert(ref_of(name));
    judged.linear[ref_of(name)] = relevance.get<double>();
    judged.exponential[ref_of(name)] = std::exp2(relevance.get<double>()) - 1;
  }
  return judged;
}

// mrr@k looks only at the first k pages.
double reciprocal_rank_of(const Judged& judged, std::size_t k) {
  Ranking first = judged.ranking;
  first.resize(std::min(k, first.size()));
  return metrics::reciprocal_rank(first, judged.gold);
}

struct RankingMeasure {
  const char* name;
  double (*ours)(const Judged& judged, std::size_t k);
};

constexpr RankingMeasure kMeasures[] = {
    {"ndcg_exp_gain",
     [](const Judged& j, std::size_t k) { return metrics::ndcg(j.ranking, j.exponential, k); }},
    {"ndcg_linear_gain",
     [](const Judged& j, std::size_t k) { return metrics::ndcg(j.ranking, j.linear, k); }},
    {"recall",
     [](const Judged& j, std::size_t k) { return metrics::recall(j.ranking, j.gold, k); }},
    {"precision",
     [](const Judged& j, std::size_t k) { return metrics::precision(j.ranking, j.gold, k); }},
    {"mrr", reciprocal_rank_of},
    {"hit", [](const Judged& j, std::size_t k) { return metrics::hit(j.ranking, j.gold, k); }},
};

// Returns our value of, for example, "recall@5", or nullopt if we have no such measure.
std::optional<double> measured(const Judged& judged, const std::string& key) {
  const std::size_t at = key.find('@');
  if (at == std::string::npos) return std::nullopt;
  std::size_t k = 0;
  const char* end = key.data() + key.size();
  if (std::from_chars(key.data() + at + 1, end, k).ptr != end) return std::nullopt;
  for (const RankingMeasure& measure : kMeasures) {
    if (key.substr(0, at) == measure.name) return measure.ours(judged, k);
  }
  return std::nullopt;
}

void check_measures(MethodCase& method) {
  const double tolerance = method.tolerance("all");
  std::vector<Judged> all;
  for (const Json& row : method.json().at("metrics")) {
    all.push_back(judged_of(row));
    for (const auto& [key, value] : row.items()) {
      if (key == "ranking" || key == "relevance") continue;
      const std::optional<double> ours = measured(all.back(), key);
      ours ? method.compare(key, *ours, value.get<double>(), tolerance) : method.unknown(key);
    }
  }
  for (const auto& [key, value] : method.json().at("mean_over_rankings").items()) {
    double sum = 0;
    for (const Judged& judged : all) {
      sum += measured(judged, key).value_or(std::numeric_limits<double>::quiet_NaN());
    }
    method.compare("mean_over_rankings", sum / static_cast<double>(all.size()), value.get<double>(),
                   tolerance);
  }
}

}  // namespace

void check_ranking(MethodCase& method) {
  check_max_sim(method);
  check_fusion(method);
  check_measures(method);
}

}  // namespace fineprint::verify
