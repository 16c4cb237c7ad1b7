// Tests of attention against its definition written out in double precision.
#include "nets/layers/attention.h"

#include <cmath>

#include <ATen/ops/allclose.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

// query [H, T, d], key and value [KV, S, d] -> [T, H * d], term by term. `sees(t, s)` is the mask.
template <typename Sees>
at::Tensor by_definition(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         const Sees& sees) {
  const std::int64_t heads = query.size(0), total = query.size(1), d = query.size(2);
  const std::int64_t group = heads / key.size(0);
  const auto q = query.accessor<float, 3>(), k = key.accessor<float, 3>();
  const auto v = value.accessor<float, 3>();
  at::Tensor result = at::empty({total, heads * d});
  auto out = result.accessor<float, 2>();
  for (std::int64_t h = 0; h < heads; ++h) {
    for (std::int64_t t = 0; t < total; ++t) {
      std::vector<double> weights;
      double sum = 0;
      for (std::int64_t s = 0; s < key.size(1); ++s) {
        double product = 0;
        for (std::int64_t i = 0; i < d; ++i) product += double{q[h][t][i]} * k[h / group][s][i];
        const double weight =
            sees(t, s) ? std::exp(product / std::sqrt(static_cast<double>(d))) : 0.0;
        weights.push_back(weight);
        sum += weight;
      }
      for (std::int64_t i = 0; i < d; ++i) {
        double value_sum = 0;
        for (std::int64_t s = 0; s < key.size(1); ++s) value_sum += weights[s] * v[h / group][s][i];
        out[t][h * d + i] = static_cast<float>(value_sum / sum);
      }
    }
  }
  return result;
}

at::Tensor random(std::int64_t heads, std::int64_t tokens, std::int64_t d) {
  return at::rand({heads, tokens, d}).mul_(4).sub_(2);
}

TEST(Attend, EqualsItsDefinition) {
  for (const std::int64_t kv_heads : {1, 2, 6}) {
    const at::Tensor query = random(6, 9, 8), key = random(kv_heads, 9, 8);
    const at::Tensor value = random(kv_heads, 9, 8);
    const auto all = [](std::int64_t, std::int64_t) { return true; };
    const auto causal = [](std::int64_t t, std::int64_t s) { return s <= t; };
    EXPECT_TRUE(at::allclose(attend(query, key, value, Mask::none),
                             by_definition(query, key, value, all), 1e-5, 1e-5));
    EXPECT_TRUE(at::allclose(attend(query, key, value, Mask::causal),
                             by_definition(query, key, value, causal), 1e-5, 1e-5));
  }
}

// As a tower's products leave them: heads side by side in a row, more rows than are worked on at a
// time, of numbers that fill no register.
TEST(Attend, RowsMayLieApart) {
  const auto by_head = [](std::int64_t heads, std::int64_t tokens) {
    return random(tokens, heads, 12).transpose(0, 1);
  };
  const at::Tensor query = by_head(6, 211), key = by_head(2, 101), value = by_head(2, 101);
  const auto all = [](std::int64_t, std::int64_t) { return true; };
  EXPECT_TRUE(at::allclose(attend(query, key, value, Mask::none),
                           by_definition(query, key, value, all), 1e-5, 1e-5));
}

// The last queries of a longer sequence: one, some, all.
TEST(Attend, FewerQueriesThanKeysAreTheLastOnes) {
  const at::Tensor key = random(2, 12, 8), value = random(2, 12, 8);
  for (const std::int64_t queries : {1, 2, 5, 11, 12}) {
    const at::Tensor query = random(4, queries, 8);
    const auto causal = [&](std::int64_t t, std::int64_t s) { return s <= 12 - queries + t; };
    EXPECT_TRUE(at::allclose(attend(query, key, value, Mask::causal),
                             by_definition(query, key, value, causal), 1e-5, 1e-5))
        << queries;
  }
}

TEST(AttendSegments, SeesNothingBeyondItsBorders) {
  const at::Tensor query = random(3, 20, 8), key = random(3, 20, 8), value = random(3, 20, 8);
  const std::vector<std::int64_t> offsets = {0, 4, 8, 9, 13, 20};  // lengths 4 4 1 4 7
  const auto segment = [&](std::int64_t t) {
    std::size_t s = 0;
    while (offsets[s + 1] <= t) ++s;
    return s;
  };
  const auto within = [&](std::int64_t t, std::int64_t s) { return segment(t) == segment(s); };
  EXPECT_TRUE(at::allclose(attend_segments(query, key, value, offsets),
                           by_definition(query, key, value, within), 1e-5, 1e-5));
}

// The last T of S keys are the queries' own; a window wider than that changes nothing.
TEST(Attend, SeesAWindowOfItsKeys) {
  for (const std::int64_t queries : {1, 2, 9, 23}) {
    for (const std::int64_t window : {1, 2, 5, 22, 23, 40}) {
      const std::int64_t keys = 23;
      const at::Tensor query = random(6, queries, 8), key = random(2, keys, 8);
      const at::Tensor value = random(2, keys, 8);
      const auto sees = [&](std::int64_t t, std::int64_t s) {
        const std::int64_t own = keys - queries + t;
        return s <= own && s > own - window;
      };
      EXPECT_TRUE(at::allclose(attend(query, key, value, Mask::causal, window),
                               by_definition(query, key, value, sees), 1e-5, 1e-5))
          << queries << " queries, window " << window;
    }
  }
}

// Whichever kernel would do without.
TEST(Attend, GradientsGoThrough) {
  for (const Mask mask : {Mask::none, Mask::causal}) {
    const at::Tensor key = random(2, 9, 8), value = random(2, 9, 8);
    const at::Tensor query = random(4, 9, 8).set_requires_grad(true);
    const at::Tensor moved = query.detach().clone();
    attend(query, key, value, mask).sum().backward();
    constexpr double kStep = 1e-2;
    moved[1][4][3] += kStep;
    const double above = attend(moved, key, value, mask).sum().item<double>();
    moved[1][4][3] -= 2 * kStep;
    const double below = attend(moved, key, value, mask).sum().item<double>();
    EXPECT_NEAR(query.grad()[1][4][3].item<double>(), (above - below) / (2 * kStep), 5e-3);
  }
}

// Queries of an image see those of the same image that come later; a window shuts what is long
// before.
TEST(Attend, SeesImagesBothWays) {
  const std::vector<TokenSpan> images = {{1, 6}, {8, 13}};
  const std::int64_t queries = 15;
  for (const std::int64_t keys : {queries, queries + 9}) {
    for (const std::int64_t window : {0, 3, 7, 100}) {
      const at::Tensor query = random(6, queries, 8), key = random(2, keys, 8);
      const at::Tensor value = random(2, keys, 8);
      const auto sees = [&](std::int64_t t, std::int64_t s) {
        const std::int64_t own = keys - queries + t, other = s - (keys - queries);
        bool seen = s <= own;
        for (const TokenSpan& image : images) {
          const auto within = [&](std::int64_t at) { return at >= image.begin && at < image.end; };
          seen = seen || (within(t) && within(other));
        }
        return seen && (window == 0 || s > own - window);
      };
      EXPECT_TRUE(at::allclose(attend(query, key, value, Mask::causal, window, images),
                               by_definition(query, key, value, sees), 1e-5, 1e-5))
          << keys << " keys, window " << window;
    }
  }
}

}  // namespace
}  // namespace fineprint::nets
