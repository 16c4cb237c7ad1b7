// Draws resamples and computes their means.
#include "fineprint/metrics/bootstrap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "fineprint/core/error.h"

namespace fineprint::metrics {
namespace {

constexpr std::size_t kResamples = 2000;
// Fixed, so that repeated evaluations print the same interval.
constexpr std::uint64_t kSeed = 20240318;
constexpr double kTail = 0.025;  // on each side

// Returns a number from 0 to `count` - 1, from the upper bits. The distributions of the standard
// library differ between implementations; this result is the same on every machine.
std::size_t draw(std::mt19937_64* random, std::size_t count) {
  return static_cast<std::size_t>(((*random)() >> 32) * count >> 32);
}

// Returns the columns as one row per question, so that a resample reads memory in order.
std::vector<double> rows_of(const std::vector<std::vector<double>>& columns) {
  const std::size_t count = columns.front().size();
  std::vector<double> rows(count * columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].size() != count)
      throw Error(ErrorCode::internal, "bootstrap_means: the columns have different lengths");
    for (std::size_t i = 0; i < count; ++i) rows[i * columns.size() + c] = columns[c][i];
  }
  return rows;
}

// Computes the means of one resample, for every column.
void resampled_means(const std::vector<double>& rows, std::size_t count, std::mt19937_64* random,
                     std::vector<std::uint32_t>* times, double* means) {
  // Counts how often each question is drawn, so that the rows are read once and in order.
  times->assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) ++(*times)[draw(random, count)];
  const std::size_t width = rows.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    if ((*times)[i] == 0) continue;
    for (std::size_t c = 0; c < width; ++c) means[c] += (*times)[i] * rows[i * width + c];
  }
  for (std::size_t c = 0; c < width; ++c) means[c] /= static_cast<double>(count);
}

Interval interval_of(const std::vector<double>& values, std::vector<double> means) {
  std::ranges::sort(means);
  const auto at = [&](double share) {
    return means[static_cast<std::size_t>(share * static_cast<double>(kResamples - 1))];
  };
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), at(kTail), at(1 - kTail)};
}

}  // namespace

std::vector<Interval> bootstrap_means(const std::vector<std::vector<double>>& columns) {
  if (columns.empty()) return {};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> rows = rows_of(columns);
  const std::size_t count = columns.front().size(), width = columns.size();
  if (count == 0) return std::vector<Interval>(width, {kNone, kNone, kNone});
  std::mt19937_64 random(kSeed);
  std::vector<double> means(kResamples * width);
  std::vector<std::uint32_t> times;
  for (std::size_t r = 0; r < kResamples; ++r) {
    resampled_means(rows, count, &random, &times, &means[r * width]);
  }
  std::vector<Interval> intervals;
  for (std::size_t c = 0; c < width; ++c) {
    // The percentiles of each column are independent, so each is sorted separately.
    std::vector<double> own(kResamples);
    for (std::size_t r = 0; r < kResamples; ++r) own[r] = means[r * width + c];
    intervals.push_back(interval_of(columns[c], std::move(own)));
  }
  return intervals;
}

Interval bootstrap_mean(const std::vector<double>& values) {
  return bootstrap_means({values}).front();
}

}  // namespace fineprint::metrics
