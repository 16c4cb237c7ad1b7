// Attends with one new token over keys and values in blocks, on the CPU.
#include "nets/layers/token_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nets/layers/clones.h"
#include "nets/layers/parallel.h"

namespace fineprint::nets {
namespace {

// One register of AVX-512, two of AVX2, four of SSE.
using WideLanes = float __attribute__((vector_size(64)));
// Lanes anywhere in memory: `packed` allows any address, `may_alias` floats.
struct __attribute__((packed, may_alias)) StoredLanes {
  WideLanes lanes;
};
constexpr std::int64_t kLanes = 16;

// Computes the products of a block's keys with one query.
FINEPRINT_CLONES void score_block(const float* query, const float* keys, std::int64_t stride,
                                  std::int64_t count, std::int64_t d, float* scores) {
  const std::int64_t vector_end = d / kLanes * kLanes;
  for (std::int64_t t = 0; t < count; ++t) {
    const float* key = keys + t * stride;
    WideLanes sums = {};
    for (std::int64_t i = 0; i < vector_end; i += kLanes) {
      sums += reinterpret_cast<const StoredLanes*>(query + i)->lanes *
              reinterpret_cast<const StoredLanes*>(key + i)->lanes;
    }
    float total = 0;
    for (std::int64_t i = 0; i < kLanes; ++i) total += sums[i];
    for (std::int64_t i = vector_end; i < d; ++i) total += query[i] * key[i];
    scores[t] = total;
  }
}

FINEPRINT_CLONES void add_block(const float* weights, const float* values, std::int64_t stride,
                                std::int64_t count, std::int64_t d, float* result) {
  const std::int64_t vector_end = d / kLanes * kLanes;
  for (std::int64_t t = 0; t < count; ++t) {
    const float* value = values + t * stride;
    const float weight = weights[t];
    for (std::int64_t i = 0; i < vector_end; i += kLanes) {
      reinterpret_cast<StoredLanes*>(result + i)->lanes +=
          weight * reinterpret_cast<const StoredLanes*>(value + i)->lanes;
    }
    for (std::int64_t i = vector_end; i < d; ++i) result[i] += weight * value[i];
  }
}

// Applies softmax in place. The largest score is subtracted first, so that exp cannot overflow.
void soften(float scale, std::vector<float>* scores) {
  const float top = *std::max_element(scores->begin(), scores->end());
  float sum = 0;
  for (float& score : *scores) {
    score = std::exp((score - top) * scale);
    sum += score;
  }
  for (float& score : *scores) score /= sum;
}

}  // namespace

void attend_token(const float* query, std::int64_t heads, const BlockedRows& rows, float* result) {
  const std::int64_t d = rows.head_dim, stride = rows.kv_heads * d, group = heads / rows.kv_heads;
  const float scale = 1 / std::sqrt(static_cast<float>(d));
  // A thread computes entire heads, so that no result depends on the number of threads.
  parallel_loop(0, heads, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> scores(static_cast<std::size_t>(rows.to - rows.from));
    for (std::int64_t head = begin; head < end; ++head) {
      const std::int64_t column = head / group * d;
      const auto each_block = [&](const auto& visit) {
        for (std::int64_t t = rows.from; t < rows.to;) {
          const std::int64_t block = rows.blocks[static_cast<std::size_t>(t / rows.block_tokens)];
          const std::int64_t within = t % rows.block_tokens;
          const std::int64_t count = std::min(rows.block_tokens - within, rows.to - t);
          visit(t - rows.from, (block * rows.block_tokens + within) * stride + column, count);
          t += count;
        }
      };
      // All scores come before the values, because softmax needs the largest one.
      each_block([&](std::int64_t t, std::int64_t at, std::int64_t count) {
        score_block(query + head * d, rows.keys + at, stride, count, d, scores.data() + t);
      });
      soften(scale, &scores);
      std::fill_n(result + head * d, d, 0.0F);
      each_block([&](std::int64_t t, std::int64_t at, std::int64_t count) {
        add_block(scores.data() + t, rows.values + at, stride, count, d, result + head * d);
      });
    }
  });
}

}  // namespace fineprint::nets
