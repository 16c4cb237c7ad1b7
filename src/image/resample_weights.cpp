// Computes filter weights in double precision and rounds them as the reproduced library does. The
// order of operations is theirs, because another order changes some weights by one unit.
#include "image/resample_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fineprint::image {
namespace {

// Fractional bits. Pillow's weights need more than 16 bits in all and are split.
constexpr int kPillowPrecision = 22;
constexpr int kMaxPrecision = 22;
constexpr int kSplitBits = 8;

double bilinear(double x) {
  x = std::abs(x);
  return x < 1 ? 1 - x : 0;
}

// Source: Keys, "Cubic convolution interpolation" (1981), with a = -0.5.
double bicubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

double sinc(double x) {
  if (x == 0) return 1;
  x *= std::numbers::pi;
  return std::sin(x) / x;
}

// Source: Duchon, "Lanczos filtering in one and two dimensions" (1979), with three lobes.
double lanczos(double x) { return -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0; }

struct Kernel {
  double (*value)(double);
  double support;  // source pixels on each side, if the size does not change
};

Kernel kernel_of(Filter filter) {
  switch (filter) {
    case Filter::bilinear:
      return {bilinear, 1};
    case Filter::bicubic:
      return {bicubic, 2};
    case Filter::lanczos:
      break;
  }
  return {lanczos, 3};
}

// The weights of all result pixels along one axis.
struct Weights {
  int taps = 0;
  std::vector<int> begin, count;  // [out]
  std::vector<double> values;     // [out * taps]
};

// Computes the weights of one result pixel: the filter at the distances of its source pixels,
// scaled to a sum of 1.
void fill_weights(double (*filter)(double), double centre, double shrink, int begin,
                  std::span<double> weights) {
  double total = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = filter((static_cast<double>(static_cast<int>(k) + begin) - centre + 0.5) * shrink);
    total += weights[k];
  }
  if (total == 0) return;
  for (double& weight : weights) weight /= total;
}

Weights double_weights(int from, int to, Filter filter) {
  const double scale = static_cast<double>(from) / to;
  const double widening = std::max(scale, 1.0);
  const Kernel kernel = kernel_of(filter);
  const double support = kernel.support * widening;
  const auto outs = static_cast<std::size_t>(to);
  Weights weights;
  weights.taps = static_cast<int>(std::ceil(support)) * 2 + 1;
  weights.begin.resize(outs);
  weights.count.resize(outs);
  weights.values.resize(outs * static_cast<std::size_t>(weights.taps));
  for (std::size_t i = 0; i < outs; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * scale;
    const int begin = std::max(static_cast<int>(centre - support + 0.5), 0);
    const int end = std::min(static_cast<int>(centre + support + 0.5), from);
    const int count = std::clamp(end - begin, 0, weights.taps);
    weights.begin[i] = begin;
    weights.count[i] = count;
    fill_weights(kernel.value, centre, 1 / widening, begin,
                 {&weights.values[i * static_cast<std::size_t>(weights.taps)],
                  static_cast<std::size_t>(count)});
  }
  return weights;
}

// Returns the largest number of fractional bits with which the largest weight still fits into 16
// bits.
int torch_precision(const std::vector<double>& weights) {
  const double largest = std::max(0.0, *std::max_element(weights.begin(), weights.end()));
  int precision = 0;
  while (precision < kMaxPrecision &&
         static_cast<int>(0.5 + largest * (1 << (precision + 1))) < (1 << 15)) {
    ++precision;
  }
  return precision;
}

// Rounds half away from zero, as both libraries do.
std::int32_t to_fixed(double weight, int precision) {
  const double scaled = weight * (1 << precision);
  return static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

// Packs two 16-bit weights into one word, the first in the lower half.
std::int32_t pair_of(std::int32_t first, std::int32_t second) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(first & 0xFFFF) |
                                   static_cast<std::uint32_t>(second) << 16);
}

void pack(const std::vector<std::int32_t>& fixed, FixedWeights* out) {
  for (std::size_t i = 0; i < fixed.size(); i += 2) {
    const std::int32_t first = fixed[i], second = fixed[i + 1];
    if (out->split) {
      constexpr std::int32_t mask = (1 << kSplitBits) - 1;
      out->low.push_back(pair_of(first & mask, second & mask));
      out->high.push_back(pair_of(first >> kSplitBits, second >> kSplitBits));
    } else {
      out->low.push_back(pair_of(first, second));
    }
  }
}

}  // namespace

FixedWeights fixed_weights(int from, int to, Filter filter, Arithmetic arithmetic) {
  Weights weights = double_weights(from, to, filter);
  FixedWeights out;
  out.split = arithmetic == Arithmetic::pillow;
  out.precision = out.split ? kPillowPrecision : torch_precision(weights.values);
  out.pairs = (weights.taps + 1) / 2;
  out.begin = std::move(weights.begin);
  const auto taps = static_cast<std::size_t>(weights.taps);
  std::vector<std::int32_t> fixed(static_cast<std::size_t>(out.pairs) * 2);
  for (std::size_t i = 0; i < out.begin.size(); ++i) {
    std::fill(fixed.begin(), fixed.end(), 0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(weights.count[i]); ++k) {
      fixed[k] = to_fixed(weights.values[i * taps + k], out.precision);
    }
    out.used.push_back((weights.count[i] + 1) / 2);
    pack(fixed, &out);
  }
  return out;
}

}  // namespace fineprint::image
