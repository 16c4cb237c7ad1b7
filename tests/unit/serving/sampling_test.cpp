// Tests of scores of tokens and of draws from filtered distributions.
#include "fineprint/serving/sampling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "serving/exponential.h"

namespace fineprint::serving {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Logits of a distribution that is written down.
std::vector<float> logits_of(const std::vector<double>& probabilities) {
  std::vector<float> out;
  for (const double p : probabilities) out.push_back(static_cast<float>(std::log(p)));
  return out;
}

std::vector<float> random_logits(std::size_t count, double spread, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, static_cast<float>(spread));
  std::vector<float> out(count);
  for (float& x : out) x = normal(random);
  return out;
}

// How often each id is drawn.
std::map<std::int64_t, int> draws(const SamplingRule& rule, std::span<const float> logits,
                                  int count, std::uint64_t seed = 7) {
  Sampler sampler(rule, seed);
  std::map<std::int64_t, int> counts;
  for (int i = 0; i < count; ++i) ++counts[sampler.next(logits)];
  return counts;
}

std::vector<std::int64_t> ids_drawn(const SamplingRule& rule, std::span<const float> logits) {
  std::vector<std::int64_t> ids;
  for (const auto& [id, count] : draws(rule, logits, 2000)) ids.push_back(id);
  return ids;
}

ErrorCode code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(ExpOfNonPositive, IsTheExponential) {
  for (double x = 0; x > -100; x -= 0.00371) {
    EXPECT_NEAR(exp_of_non_positive(x) / std::exp(x), 1.0, 1e-12) << x;
  }
  EXPECT_EQ(exp_of_non_positive(0), 1.0);
  EXPECT_LT(exp_of_non_positive(kLowestExponent), 1e-300);
  EXPECT_TRUE(std::isnan(exp_of_non_positive(kNan)));
}

TEST(ScoreToken, ByHand) {
  const std::vector<float> logits = logits_of({0.5, 0.25, 0.125, 0.125});
  EXPECT_NEAR(score_token(logits, 0).log_probability, std::log(0.5), 1e-7);
  EXPECT_NEAR(score_token(logits, 3).log_probability, std::log(0.125), 1e-7);
  EXPECT_NEAR(score_token(logits, 0).entropy, 1.75 * std::log(2.0), 1e-7);
  EXPECT_EQ(score_token(logits, 2).id, 2);
}

TEST(ScoreToken, KnowsTheTwoExtremes) {
  const std::vector<float> even(1000, 3.5F);
  EXPECT_NEAR(score_token(even, 999).log_probability, -std::log(1000.0), 1e-12);
  EXPECT_NEAR(score_token(even, 0).entropy, std::log(1000.0), 1e-12);
  std::vector<float> sure(1000, -1e4F);
  sure[17] = 1e4F;
  EXPECT_EQ(score_token(sure, 17).log_probability, 0);
  EXPECT_LT(score_token(sure, 17).entropy, 1e-200);
  EXPECT_EQ(score_token(sure, 16).log_probability, -2e4);
}

TEST(ScoreToken, EqualsThePlainSumInLongDouble) {
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 151'936U}) {
    for (const double spread : {0.01, 1.0, 5.0, 40.0}) {
      const std::vector<float> logits = random_logits(count, spread, 3);
      long double top = logits[0], sum = 0, products = 0;
      for (const float x : logits) top = std::max<long double>(top, x);
      for (const float x : logits) sum += std::exp(x - top);
      for (const float x : logits) products += (x - top) * std::exp(x - top);
      const models::TokenScore score = score_token(logits, static_cast<std::int64_t>(count / 2));
      const long double expected = logits[count / 2] - top - std::log(sum);
      EXPECT_NEAR(score.log_probability, static_cast<double>(expected), 1e-11);
      EXPECT_NEAR(score.entropy, static_cast<double>(std::log(sum) - products / sum), 1e-11);
    }
  }
}

// Sorted in full, in long double.
double plain_top_entropy(std::vector<float> logits) {
  std::ranges::sort(logits, std::greater<>());
  logits.resize(std::min(logits.size(), models::kTopTokens));
  long double sum = 0, entropy = 0;
  for (const float x : logits) sum += std::exp(static_cast<long double>(x) - logits[0]);
  for (const float x : logits) {
    const long double p = std::exp(static_cast<long double>(x) - logits[0]) / sum;
    if (p > 0) entropy -= p * std::log(p);
  }
  return static_cast<double>(entropy);
}

TEST(ScoreToken, TheEntropyOfTheLikeliest) {
  EXPECT_NEAR(score_token(logits_of({0.5, 0.25, 0.125, 0.125}), 0).top_entropy,
              1.75 * std::log(2.0), 1e-7);
  EXPECT_NEAR(score_token(std::vector<float>(1000, 3.5F), 0).top_entropy, std::log(10.0), 1e-12);
  // Twelve tokens of 0.05 beside two of 0.2: of the ten best, two have 0.25 and eight have 0.0625.
  std::vector<double> fourteen(12, 0.05);
  fourteen.insert(fourteen.begin() + 7, 2, 0.2);
  EXPECT_NEAR(score_token(logits_of(fourteen), 0).top_entropy,
              -(0.5 * std::log(0.25) + 0.5 * std::log(0.0625)), 1e-6);
  for (const std::size_t count : {1U, 9U, 10U, 11U, 255U, 256U, 257U, 151'936U}) {
    for (const double spread : {0.01, 1.0, 5.0, 40.0}) {
      std::vector<float> logits = random_logits(count, spread, 5);
      for (int turn = 0; turn < 3; ++turn) {
        EXPECT_NEAR(score_token(logits, 0).top_entropy, plain_top_entropy(logits), 1e-11);
        turn == 0 ? std::ranges::sort(logits) : std::ranges::reverse(logits);
      }
    }
  }
}

TEST(ScoreToken, LeavesForbiddenTokensOut) {
  const std::vector<float> logits = {1, -kInfinity, 1};
  EXPECT_NEAR(score_token(logits, 0).top_entropy, std::log(2.0), 1e-12);
  EXPECT_NEAR(score_token(logits, 0).log_probability, -std::log(2.0), 1e-12);
  EXPECT_NEAR(score_token(logits, 0).entropy, std::log(2.0), 1e-12);
  EXPECT_EQ(score_token(logits, 1).log_probability, -kInfinity);
}

TEST(ScoreToken, RefusesWhatIsNoDistribution) {
  for (const float bad : {kNan, kInfinity}) {
    for (const std::size_t at : {0U, 20U, 39U}) {
      std::vector<float> logits(40, 1.0F);
      logits[at] = bad;
      EXPECT_EQ(code_of([&] { score_token(logits, 5); }), ErrorCode::model) << bad << " " << at;
      Sampler greedy({}, 0), drawing({.temperature = 1}, 0);
      EXPECT_EQ(code_of([&] { greedy.next(logits); }), ErrorCode::model) << bad << " " << at;
      EXPECT_EQ(code_of([&] { drawing.next(logits); }), ErrorCode::model) << bad << " " << at;
    }
  }
  const std::vector<float> none(40, -kInfinity);
  EXPECT_EQ(code_of([&] { score_token(none, 5); }), ErrorCode::model);
  EXPECT_EQ(code_of([&] { Sampler({}, 0).next(none); }), ErrorCode::model);
}

TEST(Sampler, GreedyTakesTheLowestIdOfTheBest) {
  Sampler sampler({}, 5);
  EXPECT_EQ(sampler.next(std::vector<float>{0, 3, 1, 3}), 1);
  EXPECT_EQ(sampler.next(std::vector<float>(100, -2.0F)), 0);
  std::vector<float> wide(70, 0.0F);
  wide[69] = wide[33] = 1;
  EXPECT_EQ(sampler.next(wide), 33);
}

TEST(Sampler, PenaltyDividesWhatIsPositiveAndMultipliesWhatIsNegative) {
  Sampler sampler({.repetition_penalty = 2}, 0);
  sampler.saw(0);
  EXPECT_EQ(sampler.next(std::vector<float>{3.0F, 1.4F}), 0);  // 1.5
  EXPECT_EQ(sampler.next(std::vector<float>{3.0F, 1.6F}), 1);
  EXPECT_EQ(sampler.next(std::vector<float>{-1.0F, -1.9F}), 1);  // -2
  EXPECT_EQ(sampler.next(std::vector<float>{-1.0F, -2.1F}), 0);
  EXPECT_EQ(sampler.next(std::vector<float>{0.0F, -0.1F}), 0);  // zero stays zero
}

TEST(Sampler, PenaltyCountsATokenOnceAndPassesOverImageSlots) {
  Sampler sampler({.repetition_penalty = 2}, 0);
  for (int i = 0; i < 5; ++i) sampler.saw(0);
  sampler.saw(-1);
  sampler.saw(1000);  // above the vocabulary
  EXPECT_EQ(sampler.next(std::vector<float>{3.0F, 1.4F}), 0);
}

TEST(Sampler, APenaltyBelowOneFavours) {
  Sampler sampler({.repetition_penalty = 0.5}, 0);
  sampler.saw(1);
  EXPECT_EQ(sampler.next(std::vector<float>{3.0F, 1.6F}), 1);
}

TEST(Sampler, TopKKeepsTheBestAndAllThatTieWithTheLast) {
  const std::vector<float> logits = {1, 5, 3, 3, 4};
  EXPECT_EQ(ids_drawn({.temperature = 1, .top_k = 1}, logits), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(ids_drawn({.temperature = 1, .top_k = 2}, logits), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(ids_drawn({.temperature = 1, .top_k = 3}, logits),
            (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(ids_drawn({.temperature = 9, .top_k = 99}, logits).size(), 5U);
}

TEST(Sampler, TopPKeepsTheTokenThatCrossesIt) {
  const std::vector<float> logits = logits_of({0.125, 0.5, 0.25, 0.125});
  const auto kept = [&](double p) { return ids_drawn({.temperature = 1, .top_p = p}, logits); };
  EXPECT_EQ(kept(0.01), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(kept(0.49), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(kept(0.51), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(kept(0.76), (std::vector<std::int64_t>{0, 1, 2}));  // of a tie, the lower id
  EXPECT_EQ(kept(0.88), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(kept(1), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

// 0.7 and 0.3 become 0.845 and 0.155 at temperature 0.5: top-p comes after temperature and top-k.
TEST(Sampler, FiltersInTheirOrder) {
  const std::vector<float> logits = logits_of({0.63, 0.27, 0.1});
  EXPECT_EQ(ids_drawn({.temperature = 1, .top_p = 0.62}, logits).size(), 1U);
  EXPECT_EQ(ids_drawn({.temperature = 1, .top_p = 0.69}, logits).size(), 2U);
  EXPECT_EQ(ids_drawn({.temperature = 1, .top_k = 2, .top_p = 0.69}, logits).size(), 1U);
  EXPECT_EQ(ids_drawn({.temperature = 0.5, .top_p = 0.8}, logits).size(), 1U);
  Sampler sampler({.temperature = 1, .top_k = 1, .repetition_penalty = 10}, 0);
  sampler.saw(0);  // log 0.63 times 10 falls below the two others
  EXPECT_EQ(sampler.next(logits), 1);
}

// Pearson's statistic over the ids' counts; its mean is the number of ids less one.
double chi_square(const std::map<std::int64_t, int>& counts, const std::vector<double>& expected,
                  int total) {
  double sum = 0;
  for (std::size_t id = 0; id < expected.size(); ++id) {
    const auto found = counts.find(static_cast<std::int64_t>(id));
    const double seen = found == counts.end() ? 0 : found->second;
    if (expected[id] == 0) {
      EXPECT_EQ(seen, 0) << id;
      continue;
    }
    const double mean = expected[id] * total;
    sum += (seen - mean) * (seen - mean) / mean;
  }
  return sum;
}

TEST(Sampler, DrawsInProportion) {
  constexpr int kDraws = 40'000;
  const std::vector<float> logits = logits_of({0.4, 0.3, 0.2, 0.1});
  const double t2[] = {std::sqrt(0.4), std::sqrt(0.3), std::sqrt(0.2), std::sqrt(0.1)};
  const double sum = t2[0] + t2[1] + t2[2] + t2[3];
  const struct {
    SamplingRule rule;
    std::vector<double> expected;
  } cases[] = {
      {{.temperature = 1}, {0.4, 0.3, 0.2, 0.1}},
      {{.temperature = 2}, {t2[0] / sum, t2[1] / sum, t2[2] / sum, t2[3] / sum}},
      {{.temperature = 1, .top_k = 2}, {4.0 / 7, 3.0 / 7, 0, 0}},
      {{.temperature = 1, .top_p = 0.85}, {4.0 / 9, 3.0 / 9, 2.0 / 9, 0}},
      {{.temperature = 1, .top_k = 3, .top_p = 0.7}, {4.0 / 7, 3.0 / 7, 0, 0}},
  };
  for (const auto& [rule, expected] : cases) {
    // 16.3 is passed once in a thousand with three degrees of freedom; the seed is fixed.
    EXPECT_LT(chi_square(draws(rule, logits, kDraws), expected, kDraws), 16.3);
  }
}

TEST(Sampler, RepeatsItselfBySeed) {
  const std::vector<float> logits = random_logits(500, 1, 9);
  const SamplingRule rule = {.temperature = 1, .top_p = 0.9};
  const auto sequence = [&](std::uint64_t seed) {
    Sampler sampler(rule, seed);
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 50; ++i) ids.push_back(sampler.next(logits));
    return ids;
  };
  EXPECT_EQ(sequence(1), sequence(1));
  EXPECT_NE(sequence(1), sequence(2));
}

TEST(Sampler, NeverDrawsAForbiddenToken) {
  const std::vector<float> logits = {-kInfinity, 0, -kInfinity, 0};
  EXPECT_EQ(ids_drawn({.temperature = 100, .top_k = 4}, logits), (std::vector<std::int64_t>{1, 3}));
}

TEST(Sampler, AnAllowedSetGoesBeforeAllFilters) {
  const std::vector<float> logits = logits_of({0.5, 0.3, 0.1, 0.06, 0.04});
  const std::vector<std::uint8_t> allowed = {0, 0, 1, 1, 1};
  const auto drawn = [&](const SamplingRule& rule) {
    std::vector<std::int64_t> ids;
    Sampler sampler(rule, 7);
    for (int i = 0; i < 2000; ++i) ids.push_back(sampler.next(logits, allowed));
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  };
  EXPECT_EQ(drawn({}), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(drawn({.temperature = 1}), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(drawn({.temperature = 1, .top_k = 2}), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(drawn({.temperature = 1, .top_p = 0}), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(drawn({.temperature = 1, .top_p = 0.45}), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(drawn({.temperature = 1, .top_p = 0.55}), (std::vector<std::int64_t>{2, 3}));
  Sampler sampler({.repetition_penalty = 2}, 0);
  sampler.saw(2);  // log 0.1 times 2 falls below log 0.06
  EXPECT_EQ(sampler.next(logits, allowed), 3);
}

TEST(Sampler, AnAllowedSetMustLeaveSomethingToDraw) {
  const std::vector<float> logits = {1, -kInfinity, 2};
  const std::vector<std::uint8_t> none = {0, 0, 0}, impossible = {0, 1, 0}, few = {1, 1};
  for (const double temperature : {0.0, 1.0}) {
    Sampler sampler({.temperature = temperature}, 0);
    EXPECT_EQ(code_of([&] { sampler.next(logits, none); }), ErrorCode::model);
    EXPECT_EQ(code_of([&] { sampler.next(logits, impossible); }), ErrorCode::model);
    EXPECT_EQ(code_of([&] { sampler.next(logits, few); }), ErrorCode::internal);
    // A NaN is no less a sign of damage where it may not be drawn.
    EXPECT_EQ(code_of([&] {
                sampler.next(std::vector<float>{1, 2, kNan}, std::vector<std::uint8_t>{1, 1, 0});
              }),
              ErrorCode::model);
  }
}

TEST(SamplingRule, LaysFlagsOverTheModel) {
  const models::GenerationDefaults defaults = {
      .end_tokens = {2}, .temperature = 0.7, .top_k = 20, .top_p = 0.8, .repetition_penalty = 1.05};
  const SamplingRule same = sampling_rule({}, defaults);
  EXPECT_EQ(same.temperature, 0.7);
  EXPECT_EQ(same.top_k, 20);
  EXPECT_EQ(same.top_p, 0.8);
  EXPECT_EQ(same.repetition_penalty, 1.05);
  models::SamplingOptions options;
  options.temperature = 0;
  options.top_p = 1;
  const SamplingRule changed = sampling_rule(options, defaults);
  EXPECT_EQ(changed.temperature, 0);
  EXPECT_EQ(changed.top_k, 20);
  EXPECT_EQ(changed.top_p, 1);
}

TEST(SamplingRule, RefusesValuesOutOfRange) {
  const auto refused = [](auto change) {
    models::SamplingOptions options;
    change(options);
    return code_of([&] { sampling_rule(options, {}); }) == ErrorCode::usage;
  };
  EXPECT_TRUE(refused([](models::SamplingOptions& o) { o.temperature = -0.1; }));
  EXPECT_TRUE(refused([](models::SamplingOptions& o) { o.temperature = kNan; }));
  EXPECT_TRUE(refused([](models::SamplingOptions& o) { o.top_k = -1; }));
  EXPECT_TRUE(refused([](models::SamplingOptions& o) { o.top_p = -0.01; }));
  EXPECT_TRUE(refused([](models::SamplingOptions& o) { o.top_p = 1.01; }));
  EXPECT_TRUE(refused([](models::SamplingOptions& o) { o.repetition_penalty = 0; }));
}

}  // namespace
}  // namespace fineprint::serving
