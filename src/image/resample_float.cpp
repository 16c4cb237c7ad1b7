// Samples float planes with a bicubic filter that is not widened when shrinking.
#include <algorithm>
#include <array>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

namespace fineprint::image {
namespace {

constexpr std::size_t kTaps = 4;

// Returns a * b + c, rounded once. The compiler of the reference fuses products and sums like this.
// Doubles give the same result on every processor, except in one of 2^29 cases.
float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

// The source values and weights of a result value along one axis.
struct Look {
  std::array<std::size_t, kTaps> at{};
  std::array<float, kTaps> weight{};
};

// Source: Keys (1981) with a = -0.75. `t` is the position between the second and the third of four
// values, 0 to 1.
std::array<float, kTaps> cubic_weights(float t) {
  constexpr float a = -0.75F;
  const auto near = [](float x) { return fused(fused(a + 2, x, -(a + 3)) * x, x, 1.0F); };
  const auto far = [](float x) { return fused(fused(fused(a, x, -5 * a), x, 8 * a), x, -4 * a); };
  const float rest = 1 - t;
  return {far(t + 1), near(t), near(rest), far(rest + 1)};
}

std::vector<Look> make_looks(int from, int to) {
  const float scale = static_cast<float>(from) / static_cast<float>(to);
  std::vector<Look> out(static_cast<std::size_t>(to));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float centre = fused(scale, static_cast<float>(i) + 0.5F, -0.5F);
    const float floor = std::floor(centre);
    out[i].weight = cubic_weights(std::clamp(centre - floor, 0.0F, 1.0F));
    for (std::size_t k = 0; k < kTaps; ++k) {
      const int at = static_cast<int>(floor) - 1 + static_cast<int>(k);
      out[i].at[k] = static_cast<std::size_t>(std::clamp(at, 0, from - 1));
    }
  }
  return out;
}

// Sums in the order of the reference's machine code, so that even the last bit agrees.
template <typename Value>
float weighted_sum(const Value& value, const Look& look) {
  const float first = fused(value(0), look.weight[0], value(1) * look.weight[1]);
  return fused(value(3), look.weight[3], fused(value(2), look.weight[2], first));
}

// [height, from.width] -> [height, to.width]
void sample_rows(std::span<const float> plane, std::size_t width, const std::vector<Look>& columns,
                 std::vector<float>* out) {
  out->clear();
  for (std::size_t row = 0; row < plane.size(); row += width) {
    for (const Look& look : columns) {
      out->push_back(weighted_sum([&](std::size_t k) { return plane[row + look.at[k]]; }, look));
    }
  }
}

// [from.height, width] -> [to.height, width]
void sample_columns(const std::vector<float>& plane, std::size_t width,
                    const std::vector<Look>& rows, float* out) {
  for (const Look& look : rows) {
    for (std::size_t x = 0; x < width; ++x) {
      *out++ = weighted_sum([&](std::size_t k) { return plane[look.at[k] * width + x]; }, look);
    }
  }
}

}  // namespace

std::vector<float> sample_bicubic(std::span<const float> planes, PlaneSize from, PlaneSize to) {
  if (std::min({from.width, from.height, to.width, to.height}) <= 0) {
    throw Error(ErrorCode::input, format("cannot resize planes of {} x {} values to {} x {}",
                                         from.width, from.height, to.width, to.height));
  }
  const auto width = static_cast<std::size_t>(from.width);
  const std::size_t plane = width * static_cast<std::size_t>(from.height);
  const auto out_width = static_cast<std::size_t>(to.width);
  const std::size_t out_plane = out_width * static_cast<std::size_t>(to.height);
  if (planes.size() % plane != 0)
    throw Error(ErrorCode::internal, "the values do not fill complete planes");

  const std::vector<Look> columns = make_looks(from.width, to.width);
  const std::vector<Look> rows = make_looks(from.height, to.height);
  std::vector<float> narrowed;
  std::vector<float> out(planes.size() / plane * out_plane);
  for (std::size_t i = 0; i < planes.size() / plane; ++i) {
    sample_rows(planes.subspan(i * plane, plane), width, columns, &narrowed);
    sample_columns(narrowed, out_width, rows, &out[i * out_plane]);
  }
  return out;
}

}  // namespace fineprint::image
