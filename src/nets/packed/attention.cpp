// Computes attention of one head in float32.
#include "nets/packed/attention.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fineprint::nets {
namespace {

// Queries whose scores are computed together. With 512 keys, their scores stay in the second-level
// cache.
constexpr std::int64_t kQueries = 96;

// Lays `count` rows of `width` values into panels [width / kPanel, count, kPanel], as if the rows
// were the columns of a matrix.
void fill_panels_across(const float* rows, std::int64_t count, std::int64_t width,
                        std::int64_t step, float* panels) {
  for (std::int64_t first = 0; first < width; first += kPanel) {
    const std::int64_t there = std::min(kPanel, width - first);
    for (std::int64_t r = 0; r < count; ++r, panels += kPanel) {
      std::copy_n(rows + r * step + first, there, panels);
      std::fill(panels + there, panels + kPanel, 0.0F);
    }
  }
}

}  // namespace

void PackedAttention::attend(const HeadRows& head, const Rows& output) {
  const std::int64_t width = head.width, seen = head.key.count;
  // Half a panel more than needed, so that rows below each other do not share the cache's sets.
  const std::int64_t scores_step = rounded_up(seen, kPanel) + kPanel / 2;
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  const RowsKernel& kernel = rows_kernel();
  std::array<float, kBiasKinds>
      unscaled{};  // divided by the scale, because softmax multiplies by it
  for (std::size_t i = 0; head.bias.kinds != nullptr && i < unscaled.size(); ++i) {
    unscaled[i] = head.bias.numbers[i] / scale;
  }
  reserve(seen, width);
  fill_panels(head.key.values, seen, width, head.key.step, keys_.data());
  fill_panels_across(head.value.values, seen, width, head.value.step, values_.data());
  for (std::int64_t row = 0; row < head.query.count; row += kQueries) {
    const std::int64_t count = std::min(kQueries, head.query.count - row);
    const ConstRows query = {head.query.values + row * head.query.step, count, head.query.step};
    const Rows scores = {scores_.data(), count, scores_step};
    const Rows result = {output.values + row * output.step, count, output.step};
    kernel.multiply({query, keys_.data(), seen, width, scores, {}});
    if (head.bias.kinds != nullptr) {
      const std::uint8_t* kinds = head.bias.kinds + row * head.bias.step;
      kernel.add(scores, seen, {unscaled.data(), kinds, head.bias.step});
    }
    kernel.softmax(scores, seen, scale);
    kernel.multiply({scores, values_.data(), width, seen, result, {}});
  }
}

void PackedAttention::reserve(std::int64_t seen, std::int64_t width) {
  const std::int64_t room = rounded_up(seen, kPanel) * rounded_up(width, kPanel);
  if (room > room_) {
    keys_ = Lines<float>(room);
    values_ = Lines<float>(room);
    room_ = room;
  }
  const std::int64_t scores = kQueries * (rounded_up(seen, kPanel) + kPanel / 2);
  if (scores > scores_room_) {
    scores_ = Lines<float>(scores);
    scores_room_ = scores;
  }
}

}  // namespace fineprint::nets
