// Scores rows by the hybrid mask in float32, in one pass over their memory. The sigmoid of Eq. 1
// increases with its argument. So Eq. 2 can compare C itself with thresholds that the logit maps
// back, and the sigmoid is needed only for its mean and spread.
#include <cmath>
#include <limits>
#include <optional>

#include "score/hybrid_mask_spread.h"
#include "score/kernels.h"
#include "score/vector_rows_aligned.h"

namespace fineprint::score {
namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Everything that depends on the query alone.
struct Plan {
  MaskOptions options;
  AlignedFloats query;          // of unit length
  std::vector<double> letters;  // as given, for rows that need float64
  Agreement agreement;
  bool usable = false;  // false if the query is 0 or beyond the range of float32
};

// Computed once for a scan, because it is the same for every row.
Plan make_plan(const float* query, std::size_t dim, const MaskOptions& options) {
  Plan plan{.options = options,
            .query = {},
            .letters = {query, query + dim},
            .agreement = {},
            .usable = false};
  double squares = 0;
  for (const double value : plan.letters) squares += value * value;
  plan.usable = squares > 0 && std::isfinite(squares);
  const double length = std::sqrt(squares);
  for (const double value : plan.letters) {
    plan.query.push_back(plan.usable ? static_cast<float>(value / length) : 0.0F);
  }
  if (!options.absolute) plan.agreement.keep = 0xFFFFFFFFu;
  // If agreements are negated, "less than" becomes "greater than".
  if (options.swapped) plan.agreement.flip = 0x80000000u;
  return plan;
}

// z = steepness (x - mean). x is taken from the row as stored, whose length is not 1.
struct Line {
  double mean = 0;
  double steepness = 0;
  double deviation = 0;  // standard deviation of x
};

// Returns nullopt if float32 sums are too coarse: for nearly equal agreements, or values far
// from 1.
std::optional<Line> line_of(const ProductSums& sums, double count, const MaskOptions& options) {
  const double length = std::sqrt(sums.row_squares);
  if (!(length > 1e-12 && length < 1e15) || sums.product_squares < 1e-30) return {};
  const double mean = sums.agreement / count;
  const double variance = sums.product_squares / count - mean * mean;
  if (variance < 1e-2 * mean * mean) return {};
  const double squared_length = length * length;
  const double spread = spread_of(variance / squared_length, count, options.inner_spread);
  const Line line{mean, 1 / ((spread + options.epsilon) * length), std::sqrt(variance)};
  if (line.deviation * line.steepness < 0.25) return {};
  return line;
}

// Returns the value of x at which sigma equals theta.
std::optional<double> threshold_at(double theta, const Line& line) {
  constexpr double kMargin = 1e-5;  // closer to 0 or 1, the logit magnifies rounding errors
  if (std::abs(theta) < kMargin || std::abs(1 - theta) < kMargin) return {};
  if (theta < 0) return -kInfinity;
  if (theta > 1) return kInfinity;
  return line.mean + std::log(theta / (1 - theta)) / line.steepness;
}

// Returns the largest float32 that is not above the threshold. Comparing any float32 x with it
// gives the same result.
float rounded_down(double threshold) {
  const auto nearest = static_cast<float>(threshold);
  if (static_cast<double>(nearest) <= threshold) return nearest;
  return std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

struct Thresholds {
  float low = 0;
  float high = 0;
};

// Returns nullopt if the sigmas are nearly equal or a threshold is too close to 0 or 1.
std::optional<Thresholds> thresholds_of(const SquashedSums& sums, double count, const Line& line,
                                        const MaskOptions& options) {
  const double mean = sums.sum / count;
  const double variance = sums.squares / count - mean * mean;
  if (variance < 1e-5) return {};
  const double away = options.alpha * spread_of(variance, count, options.outer_spread);
  const std::optional<double> low = threshold_at(mean - away, line);
  const std::optional<double> high = threshold_at(mean + away, line);
  if (!low || !high) return {};
  return Thresholds{rounded_down(*low), rounded_down(*high)};
}

// Writes the sigmoid with base 2, because kernels compute powers of two.
Squash squash_of(const Line& line, const Agreement& agreement, std::size_t dim) {
  const double slope = -kLog2E * line.steepness;
  Squash squash;
  squash.slope = static_cast<float>(slope);
  squash.offset = static_cast<float>(-slope * line.mean);
  const bool from_zero = agreement.keep == 0x7FFFFFFFu && agreement.flip == 0;
  // No value is further from the mean than sqrt(count) deviations, and no |c| is below 0.
  const double furthest = -slope * line.deviation * std::sqrt(static_cast<double>(dim));
  squash.hold = !from_zero || squash.offset > kLargestExponent || furthest > 120;
  return squash;
}

// Returns the cosine with the masked row. The query has unit length.
double cosine_of(const MaskedSums& sums) {
  return sums.row_squares > 0 ? sums.product / std::sqrt(sums.row_squares) : 0;
}

// M = 1 above the high threshold, and M = 0.5 between the two, so two sweeps are enough.
double split_of(const MaskRow& row, const Thresholds& thresholds, double length,
                const MaskKernel& kernel, const MaskOptions& options) {
  const double above_low = kernel.sum_masked(row, thresholds.low, thresholds.low).product / 2;
  const double above_high = kernel.sum_masked(row, thresholds.high, thresholds.high).product / 2;
  return (options.salient_weight * above_high +
          options.fine_print_weight * (above_low - above_high)) /
         length;
}

double masked_score(const MaskRow& row, const Thresholds& thresholds, const ProductSums& sums,
                    const MaskKernel& kernel, const MaskOptions& options) {
  // If agreements are negated, the dense mask ("below the low threshold") is everything above the
  // high one.
  const float dense = options.swapped ? thresholds.high : thresholds.low;
  const float sparse = options.swapped ? thresholds.low : thresholds.high;
  const double length = std::sqrt(sums.row_squares);
  switch (options.mode) {
    case MaskMode::cosine:
      return sums.product / length;
    case MaskMode::hybrid:
    case MaskMode::automatic:
      return cosine_of(kernel.sum_masked(row, thresholds.low, thresholds.high));
    case MaskMode::dense:
      return cosine_of(kernel.sum_masked(row, dense, dense));
    case MaskMode::sparse:
      return cosine_of(kernel.sum_masked(row, sparse, sparse));
    case MaskMode::blend:
      return (1 - options.blend_weight) * sums.product / length +
             options.blend_weight *
                 cosine_of(kernel.sum_masked(row, thresholds.low, thresholds.high));
    case MaskMode::split:
      return split_of(row, thresholds, length, kernel, options);
  }
  return 0;
}

// Returns nullopt if the row needs float64.
std::optional<double> quick_score(const MaskRow& row, const std::uint8_t* ahead,
                                  std::size_t ahead_step, const Plan& plan,
                                  const MaskKernel& kernel) {
  if (!plan.usable) return {};
  const auto count = static_cast<double>(row.dim);
  const ProductSums sums = kernel.sum_products(row, plan.agreement);
  const std::optional<Line> line = line_of(sums, count, plan.options);
  if (!line) return {};
  if (plan.options.mode == MaskMode::cosine) return sums.product / std::sqrt(sums.row_squares);
  Squash squash = squash_of(*line, plan.agreement, row.dim);
  squash.ahead = ahead;
  squash.ahead_step = ahead_step;
  const std::optional<Thresholds> thresholds = thresholds_of(
      kernel.sum_squashed(row.agreement, row.dim, squash), count, *line, plan.options);
  if (!thresholds) return {};
  return masked_score(row, *thresholds, sums, kernel, plan.options);
}

// Computes in float64, exactly by the equations.
float careful_score(const VectorRows& rows, std::size_t r, const Plan& plan) {
  std::vector<float> values(rows.dim);
  decode_row(rows, r, values.data());
  const std::vector<double> page(values.begin(), values.end());
  return static_cast<float>(masked_pair(plan.letters, page, plan.options).score);
}

}  // namespace

void hybrid_mask_rows(const float* query, const VectorRows& rows, const MaskOptions& options,
                      float* scores) {
  constexpr std::size_t kStep = 32;  // values for each prefetch of sum_squashed
  const Plan plan = make_plan(query, rows.dim, options);
  const DenseKernel& dense = kernels().dense.best();
  const MaskKernel& mask = kernels().mask.best();
  AlignedFloats agreement(rows.dim);
  AlignedFloats decoded(rows.type == VectorType::f32 ? 0 : rows.dim);
  for (std::size_t r = 0; r < rows.count; ++r) {
    const auto* values = reinterpret_cast<const float*>(rows.row(r));
    if (rows.type != VectorType::f32) {
      dense.decode(rows.type, rows.row(r), rows.dim, decoded.data());
      values = decoded.data();
    }
    // A row's length cancels out of a cosine, so codes of i8 are used without their scale.
    const bool has_scale = rows.type != VectorType::i8 || rows.scales[r] > 0;
    const MaskRow row{plan.query.data(), values, agreement.data(), rows.dim};
    const std::uint8_t* ahead = rows.row(r + 1 < rows.count ? r + 1 : r);
    const std::optional<double> score =
        has_scale ? quick_score(row, ahead, kStep * vector_type_bytes(rows.type), plan, mask)
                  : std::nullopt;
    scores[r] = score ? static_cast<float>(*score) : careful_score(rows, r, plan);
  }
}

}  // namespace fineprint::score
