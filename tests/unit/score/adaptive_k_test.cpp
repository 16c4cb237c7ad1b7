// How many items are kept: clear cases, limits, and lists that no mixture fits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/score/mixture.h"

#include "score/sample.h"
#include "score/two_means.h"

namespace fineprint::score {
namespace {

using Scores = std::vector<double>;

// `high` scores around 0.9 over `low` ones around 0.3, descending.
Scores two_groups(int high, int low) {
  Scores scores;
  for (int i = 0; i < high; ++i) scores.push_back(0.9 - 0.01 * i);
  for (int i = 0; i < low; ++i) scores.push_back(0.3 - 0.01 * i);
  return scores;
}

TEST(TwoMeans, FindsTheBestCut) {
  const Scores z{10, 9, 1, 0, -1};
  const TwoGaussians start = split_in_two(z, 0.5);
  EXPECT_DOUBLE_EQ(start.mean[1], 9.5);
  EXPECT_DOUBLE_EQ(start.mean[0], 0);
  EXPECT_DOUBLE_EQ(start.weight[1], 0.4);
  EXPECT_DOUBLE_EQ(start.variance[1], 0.25 + 0.5);
  EXPECT_DOUBLE_EQ(start.variance[0], 2.0 / 3 + 0.5);
}

TEST(TwoMeans, NoCutIsBetterOnRandomLists) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 200; ++round) {
    Scores z(2 + random() % 15);
    for (double& value : z) value = uniform(random);
    std::ranges::sort(z, std::greater{});
    const auto squares = [&](std::size_t from, std::size_t to) {
      double mean = 0;
      double sum = 0;
      for (std::size_t i = from; i < to; ++i) mean += z[i] / static_cast<double>(to - from);
      for (std::size_t i = from; i < to; ++i) sum += (z[i] - mean) * (z[i] - mean);
      return sum;
    };
    double best = INFINITY;
    for (std::size_t c = 1; c < z.size(); ++c) {
      best = std::min(best, squares(0, c) + squares(c, z.size()));
    }
    const TwoGaussians start = split_in_two(z, 0);
    const double found = static_cast<double>(z.size()) * (start.weight[0] * start.variance[0] +
                                                          start.weight[1] * start.variance[1]);
    EXPECT_NEAR(found, best, 1e-12);
  }
}

TEST(AdaptiveK, KeepsTheHighGroup) {
  for (const int high : {5, 6, 7, 9, 10}) {
    const AdaptiveK chosen = adaptive_k(two_groups(high, 30));
    EXPECT_EQ(chosen.k, high);
    EXPECT_TRUE(chosen.fitted);
  }
}

TEST(AdaptiveK, StaysWithinItsLimits) {
  EXPECT_EQ(adaptive_k(two_groups(2, 30)).k, 5);
  EXPECT_EQ(adaptive_k(two_groups(14, 30)).k, 10);
  AdaptiveKOptions options;
  options.top_k = 4;  // below min_k
  EXPECT_EQ(adaptive_k(two_groups(2, 30), options).k, 4);
  options = {};
  options.min_k = 1;
  EXPECT_EQ(adaptive_k(two_groups(2, 30), options).k, 2);
}

TEST(AdaptiveK, TheScaleOfScoresDoesNotMatter) {
  Scores scores = two_groups(7, 20);
  const int plain = adaptive_k(scores).k;
  for (double& score : scores) score = score * 1000 - 50;
  EXPECT_EQ(adaptive_k(scores).k, plain);
}

TEST(AdaptiveK, ShortListsAreKeptWhole) {
  EXPECT_EQ(adaptive_k({}).k, 0);
  for (int count = 1; count <= 5; ++count) {
    const AdaptiveK chosen = adaptive_k(two_groups(1, count - 1));
    EXPECT_EQ(chosen.k, count);
    EXPECT_FALSE(chosen.fitted);
  }
}

TEST(AdaptiveK, FewItemsWithASmallMinimumAreStillCut) {
  AdaptiveKOptions options;
  options.min_k = 1;
  EXPECT_EQ(adaptive_k(Scores{0.9}, options).k, 1);
  EXPECT_EQ(adaptive_k(Scores{0.9, 0.1}, options).k, 1);
  EXPECT_EQ(adaptive_k(Scores{0.9, 0.1, 0.1}, options).k, 1);
  EXPECT_EQ(adaptive_k(Scores{0.9, 0.88, 0.1}, options).k, 2);
}

TEST(AdaptiveK, EqualScoresAreNotFitted) {
  for (const std::size_t count : {6u, 12u, 40u}) {
    const AdaptiveK chosen = adaptive_k(Scores(count, 0.7));
    EXPECT_EQ(chosen.k, static_cast<int>(std::min<std::size_t>(count, 10)));
    EXPECT_FALSE(chosen.fitted);
  }
}

TEST(AdaptiveK, OneOutlierIsAGroupOfOne) {
  Scores scores(20, 0.2);
  for (std::size_t i = 1; i < scores.size(); ++i) scores[i] -= 0.001 * static_cast<double>(i);
  scores[0] = 5;
  AdaptiveKOptions options;
  options.min_k = 1;
  EXPECT_EQ(adaptive_k(scores, options).k, 1);
  EXPECT_EQ(adaptive_k(scores).k, 5);
}

TEST(AdaptiveK, NanCountsAsTheLowestScore) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Scores scores = two_groups(6, 8);
  const int without = adaptive_k(scores).k;
  scores.insert(scores.end(), 3, nan);
  EXPECT_EQ(adaptive_k(scores).k, without);
  const AdaptiveK none = adaptive_k(Scores(12, nan));
  EXPECT_EQ(none.k, 10);
  EXPECT_FALSE(none.fitted);
}

TEST(AdaptiveK, ADegenerateFitFallsBackToHalf) {
  AdaptiveKOptions options;
  options.min_k = 2;
  options.em.regularisation = std::numeric_limits<double>::quiet_NaN();
  const AdaptiveK chosen = adaptive_k(two_groups(8, 12), options);
  EXPECT_EQ(chosen.k, 5);
  EXPECT_FALSE(chosen.fitted);
  EXPECT_TRUE(chosen.fit.degenerate);
}

TEST(AdaptiveK, TheWindowMayBeTheWholeList) {
  // Inside the first 20 the tail of small scores is not seen.
  Scores scores;
  for (int i = 0; i < 20; ++i) scores.push_back(0.9 - 0.001 * i);
  for (int i = 0; i < 200; ++i) scores.push_back(0.1 - 0.0001 * i);
  AdaptiveKOptions options;
  options.window_all = true;
  EXPECT_EQ(adaptive_k(scores, options).k, 10);  // all 20 are high: the maximum
  options.top_k = 50;
  EXPECT_EQ(adaptive_k(scores, options).k, 20);
}

// The narrow group has the larger mean; the wide one owns the best score as well as the worst.
AdaptiveK of_crossed_groups(MixtureMembers members, HighComponent high) {
  Scores scores{3};
  for (int i = 0; i < 12; ++i) scores.push_back(1.0 - 0.001 * i);
  for (int i = 1; i <= 7; ++i) scores.push_back(-i);
  AdaptiveKOptions options;
  options.min_k = 1;
  options.top_k = 20;
  options.members = members;
  options.high = high;
  return adaptive_k(scores, options);
}

TEST(AdaptiveK, ThePrefixRuleKeepsWhatStandsAboveTheGroup) {
  using enum MixtureMembers;
  EXPECT_EQ(of_crossed_groups(argmax, HighComponent::larger_mean).k, 12);  // not the best one
  EXPECT_EQ(of_crossed_groups(prefix, HighComponent::larger_mean).k, 13);
}

TEST(AdaptiveK, TheTopItemMayNameTheComponent) {
  using enum MixtureMembers;
  EXPECT_EQ(of_crossed_groups(argmax, HighComponent::top_item).k, 8);  // the best and the 7 worst
}

TEST(AdaptiveK, TheWindowMayBeAnyNumberOfScores) {
  Scores scores = two_groups(7, 30);
  AdaptiveKOptions options;
  options.window = 7;  // the high group alone
  EXPECT_EQ(adaptive_k(scores, options).window, 7);
  options.window = 100;
  EXPECT_EQ(adaptive_k(scores, options).window, 37);
  EXPECT_EQ(adaptive_k(scores, options).k, 7);
}

TEST(AdaptiveK, TheModelCanBeReadInScores) {
  const AdaptiveK chosen = adaptive_k(two_groups(7, 20));
  const TwoGaussians model = chosen.in_scores();
  EXPECT_EQ(chosen.window, 20);
  EXPECT_NEAR(model.mean[1], 0.87, 1e-3);        // of 0.9, 0.89, ..., 0.84
  EXPECT_NEAR(model.mean[0], 0.3 - 0.06, 1e-3);  // of the 13 others in the window
  EXPECT_NEAR(model.variance[1], 4e-4, 1e-5);    // of seven numbers a step of 0.01 apart
  EXPECT_NEAR(model.weight[1], 7.0 / 20, 1e-6);
}

// Sorted, of mean 0 and variance 1, as adaptive_k hands them on.
Scores standardised(Scores x) {
  std::ranges::sort(x, std::greater{});
  double mean = 0;
  double variance = 0;
  for (const double value : x) mean += value / static_cast<double>(x.size());
  for (const double value : x) {
    variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
  }
  for (double& value : x) value = (value - mean) / std::sqrt(variance);
  return x;
}

void expect_the_fit_of_every_item(const Scores& z) {
  const TwoGaussians start = split_in_two(z, 1e-6);
  const MixtureFit whole = fit_two_gaussians(z, start);
  const MixtureFit fast = fit_long_list(z, start, {});
  EXPECT_EQ(fast.iterations, whole.iterations);
  EXPECT_EQ(fast.degenerate, whole.degenerate);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(fast.model.mean[c], whole.model.mean[c], 1e-9);
    EXPECT_NEAR(fast.model.variance[c], whole.model.variance[c], 1e-9);
    EXPECT_NEAR(fast.model.weight[c], whole.model.weight[c], 1e-9);
  }
}

TEST(LongList, TheFitEqualsThatOfEveryItem) {
  constexpr std::size_t kCount = 20'000;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto draw = [&](const auto& of) {
    Scores x;
    for (std::size_t i = 0; i < kCount; ++i) x.push_back(of(i));
    return standardised(std::move(x));
  };
  expect_the_fit_of_every_item(draw([&](std::size_t) { return normal(random); }));
  expect_the_fit_of_every_item(draw([&](std::size_t i) {
    return i < kCount / 100 ? 0.4 + 0.1 * normal(random) : 0.05 * normal(random);
  }));
  expect_the_fit_of_every_item(draw([&](std::size_t) { return std::exp(normal(random)); }));
  // Two narrow peaks far apart, one of them a single value; steps have to become smaller.
  expect_the_fit_of_every_item(draw([&](std::size_t i) {
    return i % 2 == 0 ? 5 + 0.01 * normal(random) : -5 + 0.1 * normal(random);
  }));
  expect_the_fit_of_every_item(
      draw([&](std::size_t i) { return i < 5000 ? 1.0 : normal(random); }));
}

TEST(LongList, CondensingKeepsFourMoments) {
  std::mt19937 random(6);
  std::exponential_distribution<double> skewed;
  Scores z;
  for (int i = 0; i < 5000; ++i) z.push_back(skewed(random));
  std::ranges::sort(z, std::greater{});
  const Sample sample = condensed_sample(z, 0.5);
  EXPECT_LT(sample.x.size(), 100U);
  EXPECT_NEAR(sample.total, 5000, 1e-9);
  for (int power = 1; power <= 3; ++power) {
    double whole = 0;
    double condensed = 0;
    for (const double value : z) whole += std::pow(value, power);
    for (std::size_t i = 0; i < sample.x.size(); ++i) {
      condensed += sample.count[i] * std::pow(sample.x[i], power);
    }
    EXPECT_NEAR(condensed / whole, 1, 1e-12);
  }
}

}  // namespace
}  // namespace fineprint::score
