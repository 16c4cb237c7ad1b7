// Tests of the gated delta rule against its recurrence written out in double precision.
#include "nets/layers/delta_rule.h"

#include <cmath>
#include <vector>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

constexpr std::int64_t kHeads = 3, kKey = 6, kValue = 10;

// Keys have about unit length, as the model's.
DeltaTokens random_tokens(std::int64_t total, double strongest_decay) {
  const auto centred = [&](std::int64_t d) { return at::rand({kHeads, total, d}).mul_(2).sub_(1); };
  at::Tensor key = centred(kKey);
  key = key / key.norm(2, -1, true);
  return {centred(kKey), key, centred(kValue), at::rand({kHeads, total}).mul_(-strongest_decay),
          at::rand({kHeads, total})};
}

// Results [heads, T, value_dim] and the last matrices, token by token.
std::pair<at::Tensor, at::Tensor> written_out(const DeltaTokens& tokens, const at::Tensor& before) {
  const std::int64_t total = tokens.key.size(1);
  const auto q = tokens.query.accessor<float, 3>(), k = tokens.key.accessor<float, 3>();
  const auto v = tokens.value.accessor<float, 3>(), start = before.accessor<float, 3>();
  const auto decay = tokens.decay.accessor<float, 2>(), rate = tokens.rate.accessor<float, 2>();
  at::Tensor results = at::empty({kHeads, total, kValue});
  at::Tensor matrices = at::empty({kHeads, kKey, kValue});
  auto out = results.accessor<float, 3>(), last = matrices.accessor<float, 3>();
  for (std::int64_t h = 0; h < kHeads; ++h) {
    std::vector<std::vector<double>> s(kKey, std::vector<double>(kValue));
    for (std::int64_t i = 0; i < kKey; ++i) {
      for (std::int64_t j = 0; j < kValue; ++j) s[i][j] = start[h][i][j];
    }
    for (std::int64_t t = 0; t < total; ++t) {
      for (auto& row : s) {
        for (double& number : row) number *= std::exp(double{decay[h][t]});
      }
      for (std::int64_t j = 0; j < kValue; ++j) {
        double known = 0, read = 0;
        for (std::int64_t i = 0; i < kKey; ++i) known += s[i][j] * k[h][t][i];
        const double learnt = rate[h][t] * (v[h][t][j] - known);
        for (std::int64_t i = 0; i < kKey; ++i) s[i][j] += k[h][t][i] * learnt;
        for (std::int64_t i = 0; i < kKey; ++i) read += s[i][j] * q[h][t][i];
        out[h][t][j] = static_cast<float>(read);
      }
    }
    for (std::int64_t i = 0; i < kKey; ++i) {
      for (std::int64_t j = 0; j < kValue; ++j) last[h][i][j] = static_cast<float>(s[i][j]);
    }
  }
  return {results, matrices};
}

double farthest(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item().toDouble();
}

DeltaTokens part_of(const DeltaTokens& tokens, std::int64_t begin, std::int64_t count) {
  const auto own = [&](const at::Tensor& x) { return x.narrow(1, begin, count); };
  return {own(tokens.query), own(tokens.key), own(tokens.value), own(tokens.decay),
          own(tokens.rate)};
}

TEST(DeltaRule, EqualsItsRecurrence) {
  // Slow decays, those of trained models, and such that nothing is left of a chunk's beginning.
  for (const double decay : {0.01, 1.0, 40.0}) {
    for (const std::int64_t total : {1, 2, 17, 63, 64, 65, 200}) {
      const DeltaTokens tokens = random_tokens(total, decay);
      const at::Tensor before = at::rand({kHeads, kKey, kValue});
      const auto [results, matrices] = written_out(tokens, before);
      const at::Tensor untouched = before.clone();
      at::Tensor after = at::empty_like(before);
      EXPECT_LT(farthest(delta_rule(tokens, before, after), results), 5e-6)
          << total << " " << decay;
      EXPECT_LT(farthest(after, matrices), 5e-6) << total << " " << decay;
      EXPECT_TRUE(at::equal(before, untouched));
    }
  }
}

TEST(DeltaRule, BeginsWithNothing) {
  for (const std::int64_t total : {1, 70}) {
    const DeltaTokens tokens = random_tokens(total, 0.5);
    const at::Tensor zeros = at::zeros({kHeads, kKey, kValue});
    at::Tensor after = at::empty_like(zeros);
    EXPECT_LT(farthest(delta_rule(tokens, {}, after), written_out(tokens, zeros).first), 2e-5);
  }
}

// Tokens one by one, in pieces, or all at once.
TEST(DeltaRule, PiecesMakeTheWhole) {
  const std::int64_t total = 150;
  const DeltaTokens tokens = random_tokens(total, 0.3);
  at::Tensor whole_after = at::empty({kHeads, kKey, kValue});
  const at::Tensor whole = delta_rule(tokens, {}, whole_after);
  for (const std::int64_t piece : {1, 3, 64, 100}) {
    std::vector<at::Tensor> results;
    at::Tensor before;
    for (std::int64_t begin = 0; begin < total; begin += piece) {
      at::Tensor after = at::empty({kHeads, kKey, kValue});
      const std::int64_t count = std::min(piece, total - begin);
      results.push_back(delta_rule(part_of(tokens, begin, count), before, after));
      before = after;
    }
    EXPECT_LT(farthest(at::cat(results, 1), whole), 2e-5) << piece;
    EXPECT_LT(farthest(before, whole_after), 2e-5) << piece;
  }
}

// To the last bit, so that a reply does not depend on how many of its tokens are read together.
TEST(DeltaRule, AFewTokensAreReadAsIfAlone) {
  for (std::int64_t total = 2; total <= kFewDeltaTokens; ++total) {
    const DeltaTokens tokens = random_tokens(total, 0.3);
    at::Tensor before = at::rand({kHeads, kKey, kValue});
    at::Tensor after = at::empty_like(before);
    const at::Tensor together = delta_rule(tokens, before, after);
    std::vector<at::Tensor> results;
    for (std::int64_t t = 0; t < total; ++t) {
      at::Tensor next = at::empty_like(before);
      results.push_back(delta_rule(part_of(tokens, t, 1), before, next));
      before = next;
    }
    EXPECT_TRUE(at::equal(together, at::cat(results, 1))) << total;
    EXPECT_TRUE(at::equal(after, before)) << total;
  }
}

}  // namespace
}  // namespace fineprint::nets
