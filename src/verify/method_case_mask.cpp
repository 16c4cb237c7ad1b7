// Compares the hybrid mask (HKRAG, section 3.2) on pairs of vectors, for every definition of the
// spread.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/hybrid_mask.h"

#include "verify/method_case_checks.h"

namespace fineprint::verify {
namespace {

using score::MaskedPair;
using score::MaskOptions;
using score::Spread;
using Vector = std::span<const double>;

// The names that the case uses.
Spread spread_of(const std::string& name) {
  if (name == "std") return Spread::standard_deviation;
  if (name == "std_unbiased") return Spread::unbiased_standard_deviation;
  if (name == "variance") return Spread::variance;
  throw Error(
      ErrorCode::input,
      format("case.json: unknown spread \"{}\"; expected std, std_unbiased or variance", name));
}

struct Row {
  const Json& json;
  Vector query, page;
  MaskOptions options;
  MaskedPair pair;
};

// Returns the hybrid score with only every second dimension, from `first` on.
double half_masked(const Row& row, std::size_t first) {
  std::vector<double> mask(row.query.size(), 0.0);
  for (std::size_t i = first; i < mask.size(); i += 2) {
    mask[i] = (row.pair.dense[i] + row.pair.sparse[i]) / 2.0;
  }
  return score::masked_cosine(row.query, row.page, mask);
}

// Written here again, so that the kernel is not checked against itself.
double spread_of(Vector values, double mean, Spread spread) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  if (spread == Spread::variance) return squares / count;
  return std::sqrt(squares / (spread == Spread::standard_deviation ? count : count - 1));
}

// Returns the least distance of a value of Cn from a threshold of Eq. 2.
double nearest_to_threshold(const Row& row) {
  const Vector values = row.pair.squashed;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double reach = row.options.alpha * spread_of(values, mean, row.options.outer_spread);
  double nearest = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    nearest = std::min(nearest, std::abs(std::abs(value - mean) - reach));
  }
  return nearest;
}

double count_of(const std::vector<std::uint8_t>& indicator) {
  return static_cast<double>(std::ranges::count(indicator, 1));
}

struct Fact {
  const char* name;
  std::function<double(const Row&)> ours;
};

// The values of a row that are single numbers.
const std::vector<Fact>& facts() {
  static const std::vector<Fact> table = {
      {"cos", [](const Row& r) { return r.pair.cosine; }},
      {"cos_hybrid", [](const Row& r) { return r.pair.hybrid; }},
      {"cos_dense", [](const Row& r) { return r.pair.dense_cosine; }},
      {"cos_sparse", [](const Row& r) { return r.pair.sparse_cosine; }},
      {"cos_hybrid_even_dims", [](const Row& r) { return half_masked(r, 0); }},
      {"cos_hybrid_odd_dims", [](const Row& r) { return half_masked(r, 1); }},
      {"count_dense", [](const Row& r) { return count_of(r.pair.dense); }},
      {"count_sparse", [](const Row& r) { return count_of(r.pair.sparse); }},
      {"nearest_value_to_a_threshold", nearest_to_threshold},
  };
  return table;
}

void check_facts(MethodCase& method, const Row& row, const std::string& label) {
  for (const auto& [key, value] : row.json.items()) {
    if (key == "pair" || key == "alpha" || key == "spread") continue;
    const auto fact = std::ranges::find(facts(), key, &Fact::name);
    if (fact == facts().end()) {
      method.unknown(label + "." + key);
    } else {
      const double tolerance = key.starts_with("count") ? 0 : method.tolerance("cos");
      method.compare(key, fact->ours(row), value.get<double>(), tolerance);
    }
  }
}

// Compares the tensors of one row. C and Cn belong to several rows and are compared in each.
void check_tensors(MethodCase& method, const Row& row, const std::string& spread) {
  const auto pair = row.json.at("pair").get<int>();
  const double tolerance = method.tolerance("Cn");
  const std::string name = format("pair{}", pair);
  method.compare("C", row.pair.agreement, method.doubles(name + ".C"), tolerance);
  method.compare("Cn." + spread, row.pair.squashed, method.doubles(name + ".Cn." + spread),
                 tolerance);
  const std::string masks = format("{}.alpha{:.1f}.{}.", name, row.options.alpha, spread);
  method.compare("dense." + spread, row.pair.dense, method.flags(masks + "dense"));
  method.compare("sparse." + spread, row.pair.sparse, method.flags(masks + "sparse"));
}

// Returns row `index` of a matrix. Throws if there is none.
Vector row_of(const tensorfile::TensorView& view, const std::vector<double>& values,
              std::size_t index) {
  const std::size_t width =
      view.shape.size() == 2 ? static_cast<std::size_t>(view.shape.back()) : 0;
  if (width == 0 || index >= values.size() / width) {
    throw Error(ErrorCode::input, format("case.json: there is no pair {} in {}", index, view.name));
  }
  return Vector(values).subspan(index * width, width);
}

}  // namespace

void check_mask(MethodCase& method) {
  const tensorfile::TensorView& query_view = method.tensor("query");
  const tensorfile::TensorView& page_view = method.tensor("doc");
  const std::vector<double> queries = method.doubles(query_view);
  const std::vector<double> pages = method.doubles(page_view);
  for (const Json& json : method.json().at("rows")) {
    const auto index = json.at("pair").get<std::size_t>();
    const auto spread = json.at("spread").get<std::string>();
    MaskOptions options;
    options.alpha = json.at("alpha").get<double>();
    options.epsilon = method.json().at("epsilon").get<double>();
    options.inner_spread = options.outer_spread = spread_of(spread);
    Row row{.json = json,
            .query = row_of(query_view, queries, index),
            .page = row_of(page_view, pages, index),
            .options = options,
            .pair = {}};
    row.pair = score::masked_pair(row.query, row.page, options);
    check_tensors(method, row, spread);
    check_facts(method, row, format("pair{}.alpha{}.{}", index, options.alpha, spread));
  }
}

}  // namespace fineprint::verify
