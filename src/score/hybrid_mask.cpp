// The hybrid mask for one pair in float64, in the steps of the printed equations.
#include "fineprint/score/hybrid_mask.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "score/hybrid_mask_spread.h"

namespace fineprint::score {
namespace {

double length_of(std::span<const double> vector) {
  double squares = 0;
  for (const double value : vector) squares += value * value;
  return std::sqrt(squares);
}

struct Moments {
  double mean = 0;
  double spread = 0;
};

// Takes two passes, because the difference of two sums would lose digits.
Moments moments_of(std::span<const double> values, Spread spread) {
  const auto count = static_cast<double>(values.size());
  Moments moments;
  for (const double value : values) moments.mean += value;
  moments.mean /= count;
  double squares = 0;
  for (const double value : values) squares += (value - moments.mean) * (value - moments.mean);
  moments.spread = spread_of(squares / count, count, spread);
  return moments;
}

// Eq. 1: the sigmoid of the standardised agreements.
void squash(const MaskOptions& options, MaskedPair& pair) {
  const Moments moments = moments_of(pair.agreement, options.inner_spread);
  for (const double value : pair.agreement) {
    const double z = (value - moments.mean) / (moments.spread + options.epsilon);
    pair.squashed.push_back(1 / (1 + std::exp(-z)));
  }
}

// Eq. 2: the indicators, by two thresholds around the mean.
void mark(const MaskOptions& options, MaskedPair& pair) {
  const Moments moments = moments_of(pair.squashed, options.outer_spread);
  const double low = moments.mean - options.alpha * moments.spread;
  const double high = moments.mean + options.alpha * moments.spread;
  for (const double value : pair.squashed) {
    pair.dense.push_back(options.swapped ? value < low : value > low);
    pair.sparse.push_back(options.swapped ? value < high : value > high);
  }
}

// Fills in products and shares. Both vectors must have unit length.
void weigh(std::span<const double> query, std::span<const double> page, MaskedPair& pair) {
  const std::size_t dim = query.size();
  std::vector<double> both(dim);
  std::vector<double> dense(dim);
  std::vector<double> sparse(dim);
  for (std::size_t i = 0; i < dim; ++i) {
    const double product = query[i] * page[i];
    dense[i] = pair.dense[i];
    sparse[i] = pair.sparse[i];
    both[i] = (dense[i] + sparse[i]) / 2;
    pair.cosine += product;
    (both[i] == 1 ? pair.salient : both[i] == 0 ? pair.dropped : pair.fine_print) += product;
    pair.salient_share += both[i] == 1 ? 1 : 0;
    pair.fine_print_share += both[i] == 0.5 ? 1 : 0;
  }
  pair.salient_share /= static_cast<double>(dim);
  pair.fine_print_share /= static_cast<double>(dim);
  pair.hybrid = masked_cosine(query, page, both);
  pair.dense_cosine = masked_cosine(query, page, dense);
  pair.sparse_cosine = masked_cosine(query, page, sparse);
}

// Must agree with masked_score() in hybrid_mask_rows.cpp.
double score_of(const MaskedPair& pair, const MaskOptions& options) {
  switch (options.mode) {
    case MaskMode::cosine:
      return pair.cosine;
    case MaskMode::hybrid:
    case MaskMode::automatic:
      return pair.hybrid;
    case MaskMode::dense:
      return pair.dense_cosine;
    case MaskMode::sparse:
      return pair.sparse_cosine;
    case MaskMode::blend:
      return (1 - options.blend_weight) * pair.cosine + options.blend_weight * pair.hybrid;
    case MaskMode::split:
      return options.salient_weight * pair.salient + options.fine_print_weight * pair.fine_print;
  }
  return 0;
}

// Returns the vector scaled to length 1, or all zeros if it is zero.
std::vector<double> unit(std::span<const double> vector) {
  std::vector<double> made(vector.begin(), vector.end());
  const double length = length_of(vector);
  if (length == 0) return made;
  for (double& value : made) value /= length;
  return made;
}

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// Comparisons with NaN are false, so the mask alone would hide it.
void make_nan(MaskedPair& pair) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  pair.cosine = pair.hybrid = pair.dense_cosine = pair.sparse_cosine = kNan;
  pair.salient = pair.fine_print = pair.dropped = pair.score = kNan;
}

}  // namespace

// Normalises first, because thresholds compare dimensions of vectors of unit length.
MaskedPair masked_pair(std::span<const double> query, std::span<const double> page,
                       const MaskOptions& options) {
  if (query.size() != page.size()) {
    throw Error(ErrorCode::internal, format("a query of {} values cannot be masked with a page of "
                                            "{}; both must come from one encoder",
                                            query.size(), page.size()));
  }
  MaskedPair pair;
  if (query.empty()) return pair;
  const std::vector<double> q = unit(query);
  const std::vector<double> d = unit(page);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double product = q[i] * d[i];
    pair.agreement.push_back(options.absolute ? std::abs(product) : product);
  }
  squash(options, pair);
  mark(options, pair);
  weigh(q, d, pair);
  pair.score = score_of(pair, options);
  if (has_nan(q) || has_nan(d)) make_nan(pair);
  return pair;
}

// Divides by the length of the masked page, not by that of the page.
double masked_cosine(std::span<const double> query, std::span<const double> page,
                     std::span<const double> mask) {
  double product = 0;
  std::vector<double> masked;
  for (std::size_t i = 0; i < query.size(); ++i) {
    masked.push_back(page[i] * mask[i]);
    product += query[i] * masked.back();
  }
  const double lengths = length_of(query) * length_of(masked);
  return lengths == 0 ? 0 : product / lengths;
}

}  // namespace fineprint::score
