// Finds the exact best rows by their 8-bit codes. It bounds what rounding can have changed, and
// multiplies in float32 whatever the bound cannot rule out.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/score/dense.h"

#include "score/k_best.h"
#include "score/kernels.h"

namespace fineprint::score {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargestCode = 127;
// Every quantity below is computed in float64 with a relative error far below this.
constexpr double kSlack = 1 + 1e-9;

// The query in integer steps of `step`; `rounding` is the sum of the magnitudes of what is lost.
struct QuantizedQuery {
  std::vector<std::int8_t> high;
  std::vector<std::int8_t> low;
  double step = 0;
  double length = 0;
  double rounding = 0;
};

QuantizedQuery quantize(const float* query, std::size_t dim) {
  constexpr double kMostSteps = 127 * 128 + 63;  // the largest 128 high + low
  QuantizedQuery made;
  double largest = 0;
  for (std::size_t i = 0; i < dim; ++i) largest = std::max(largest, std::abs(double{query[i]}));
  made.step = largest / kMostSteps;
  for (std::size_t i = 0; i < dim; ++i) {
    const double value = query[i];
    const double steps = largest > 0 ? std::nearbyint(value / made.step) : 0;
    const double high = std::floor((steps + 64) / 128);  // leaves low in -64..63
    made.high.push_back(static_cast<std::int8_t>(high));
    made.low.push_back(static_cast<std::int8_t>(steps - 128 * high));
    made.rounding += std::abs(value - steps * made.step);
    made.length += value * value;
  }
  made.length = std::sqrt(made.length);
  return made;
}

// Bounds how far a row's float32 score may be from the score of its codes.
class Bound {
 public:
  Bound(const QuantizedQuery& query, std::size_t dim)
      : length_(query.length), rounding_(query.rounding), values_(static_cast<double>(dim)) {
    const double chain = static_cast<double>(longest_chain(dim)) * 0x1p-24;
    float32_ = chain / (1 - chain);
  }

  double of(double scale, double error) const {
    const double row_length = scale * kLargestCode * std::sqrt(values_) + error;
    // A product that may leave the range of float32 must never be ruled out.
    if (!(length_ * row_length < 1e37)) return kInfinity;
    // By Cauchy and Schwarz for the codes; by the longest chain of roundings for float32.
    const double from_codes = length_ * error + rounding_ * scale * kLargestCode;
    const double from_float32 = float32_ * length_ * row_length + values_ * 0x1p-148;
    return (from_codes + from_float32) * kSlack;
  }

 private:
  double length_;
  double rounding_;
  double values_;
  double float32_;
};

// Returns the rows that may be among the first k, each with the highest score that it can have,
// best first.
std::vector<Scored> candidates(const QuantizedQuery& query, const VectorRows& codes,
                               std::span<const float> errors, std::size_t k) {
  constexpr std::size_t kRowsAtOnce = 1024;
  const Bound bound(query, codes.dim);
  KBest floors(k);
  std::vector<Scored> rows;
  std::vector<std::int64_t> sums(kRowsAtOnce);
  for (std::size_t first = 0; first < codes.count; first += kRowsAtOnce) {
    const VectorRows part = codes.slice(first, std::min(kRowsAtOnce, codes.count - first));
    kernels().codes.best()({query.high.data(), query.low.data()}, part, sums.data());
    for (std::size_t r = 0; r < part.count; ++r) {
      const double scale = part.scales[r];
      const double score = scale * query.step * static_cast<double>(sums[r]);
      double away = bound.of(scale, errors[first + r]);
      if (std::isnan(score) || std::isnan(away)) away = kInfinity;
      const bool known = away < kInfinity;
      if (known) floors.add(score - away);
      if (known && score + away < floors.least()) continue;
      rows.push_back({static_cast<std::uint32_t>(first + r), known ? score + away : kInfinity});
    }
  }
  // The bar rose during the scan, so rows that passed early may be too low now.
  const double least = floors.least();
  std::erase_if(rows, [&](const Scored& row) { return row.score < least; });
  std::sort(rows.begin(), rows.end(),
            [](const Scored& a, const Scored& b) { return a.score > b.score; });
  return rows;
}

// For cases in which the codes save nothing or bound nothing.
std::vector<Scored> scan_exactly(const float* query, const VectorRows& exact, std::size_t k) {
  std::vector<float> scores(exact.count);
  dot_rows(query, exact, scores.data());
  std::vector<Scored> rows;
  for (std::size_t r = 0; r < exact.count; ++r) {
    rows.push_back({static_cast<std::uint32_t>(r), scores[r]});
  }
  return top_k(std::move(rows), k);
}

// A query with NaN or infinity has no useful codes.
bool all_finite(const float* values, std::size_t count) {
  return std::all_of(values, values + count, [](float value) { return std::isfinite(value); });
}

}  // namespace

std::vector<Scored> exact_top_k(const float* query, const VectorRows& codes,
                                std::span<const float> errors, const VectorRows& exact,
                                std::size_t k) {
  if (codes.type != VectorType::i8 || exact.type != VectorType::f32 || codes.dim != exact.dim ||
      codes.count != exact.count || errors.size() != codes.count) {
    throw Error(ErrorCode::internal,
                format("exact_top_k got {} codes of {}, {} rows of {} and {} errors; they must "
                       "describe the same rows",
                       codes.count, codes.dim, exact.count, exact.dim, errors.size()));
  }
  const bool codes_help = k > 0 && k < exact.count && exact.dim <= kMostCodes;
  if (!codes_help || !all_finite(query, exact.dim)) return scan_exactly(query, exact, k);
  KBest best(k);
  std::vector<Scored> rescored;
  for (const Scored& row : candidates(quantize(query, exact.dim), codes, errors, k)) {
    if (row.score < best.least()) break;  // nor can any row after it be among the best
    float score = 0;
    dot_rows(query, exact.slice(row.item, 1), &score);
    if (!std::isnan(score)) best.add(score);
    rescored.push_back({row.item, score});
  }
  return top_k(std::move(rescored), k);
}

std::vector<float> code_errors(const VectorRows& codes, const VectorRows& exact) {
  std::vector<float> errors(codes.count);
  for (std::size_t r = 0; r < codes.count; ++r) {
    const auto* row = reinterpret_cast<const float*>(exact.row(r));
    double squares = 0;
    for (std::size_t i = 0; i < codes.dim; ++i) {
      const double decoded = double{codes.scales[r]} * static_cast<std::int8_t>(codes.row(r)[i]);
      squares += (row[i] - decoded) * (row[i] - decoded);
    }
    // Rounded up, because a bound must not be too small.
    errors[r] = std::nextafter(static_cast<float>(std::sqrt(squares) * kSlack),
                               std::numeric_limits<float>::infinity());
  }
  return errors;
}

}  // namespace fineprint::score
