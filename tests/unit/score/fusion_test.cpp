// Rankings joined: by hand, and against the values of another implementation.
#include "fineprint/score/fusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

namespace fineprint::score {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint32_t> items_of(const std::vector<Scored>& list) {
  std::vector<std::uint32_t> items;
  for (const Scored& scored : list) items.push_back(scored.item);
  return items;
}

using Items = std::vector<std::uint32_t>;
using Scores = std::vector<float>;

TEST(TopK, BestFirstTiesByItemNanLast) {
  const std::vector<Scored> items{{4, 1}, {3, kNan}, {2, 5}, {1, 1}, {0, -9}};
  EXPECT_EQ(items_of(top_k(items, 3)), (Items{2, 1, 4}));
  EXPECT_EQ(items_of(top_k(items, 0)), (Items{2, 1, 4, 0, 3}));
  EXPECT_EQ(items_of(top_k(items, 99)), (Items{2, 1, 4, 0, 3}));
  EXPECT_TRUE(top_k({}, 3).empty());
}

TEST(TopK, IsThePrefixOfTheWholeSort) {
  std::mt19937 random(7);
  std::vector<Scored> items;
  for (std::uint32_t i = 0; i < 500; ++i) items.push_back({i, static_cast<double>(random() % 50)});
  const std::vector<Scored> all = top_k(items, 0);
  for (const std::size_t k : {1u, 17u, 499u, 500u}) {
    const std::vector<Scored> best = top_k(items, k);
    EXPECT_TRUE(std::ranges::equal(best, std::span(all).first(k)));
  }
}

TEST(TopItems, LeavesOutWhatIsNotFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> scores{2, kNone, 5, -kInfinity, 2, kInfinity};
  EXPECT_EQ(items_of(top_items(scores, 0)), (Items{2, 0, 4}));
  EXPECT_EQ(items_of(top_items(scores, 2)), (Items{2, 0}));
  EXPECT_TRUE(top_items(std::vector<double>{kNan, kNan}, 3).empty());
  EXPECT_TRUE(top_items(std::span<const double>(), 3).empty());
}

TEST(TopItems, SortsAsTopKDoes) {
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  Scores scores{0.0F, -0.0F, 1e-42F, -1e-42F, -3e38F, 3e38F};
  for (int i = 0; i < 500; ++i) scores.push_back(std::round(20 * normal(random)) / 10);
  std::vector<Scored> items;
  for (std::uint32_t i = 0; i < scores.size(); ++i) items.push_back({i, scores[i]});
  for (const std::size_t k : {0U, 1U, 80U, 506U}) EXPECT_EQ(top_items(scores, k), top_k(items, k));
}

TEST(ReciprocalRankFusion, ByHand) {
  const Scores a{kNone, 9, 8, kNone};
  const Scores b{kNone, kNone, 0.5F, kNone};
  const std::vector<double> fused =
      reciprocal_rank_fusion(std::vector<ScoreList>{{a, 1}, {b, 2}}, 1);
  ASSERT_EQ(fused.size(), 4U);
  EXPECT_TRUE(std::isnan(fused[0]));
  EXPECT_DOUBLE_EQ(fused[1], 1.0 / 2);
  EXPECT_DOUBLE_EQ(fused[2], 1.0 / 3 + 2.0 / 2);
  EXPECT_TRUE(std::isnan(fused[3]));
  EXPECT_TRUE(reciprocal_rank_fusion({}).empty());
}

TEST(Fusion, ListsOfDifferentLengthsAreRefused) {
  const Scores two{1, 2};
  const Scores three{1, 2, 3};
  const std::vector<ScoreList> lists{{two, 1}, {three, 1}};
  EXPECT_THROW(reciprocal_rank_fusion(lists), Error);
  EXPECT_THROW(weighted_sum(lists), Error);
  EXPECT_THROW(weighted_fusion(lists), Error);
}

TEST(ReciprocalRankFusion, EqualsTheFixture) {
  const Json golden =
      parse_json(read_file(FINEPRINT_TEST_DATA "/method_ranking/case.json"), "golden");
  // Names are d00, d01, ...: ties by name are ties by number.
  const auto number = [](const Json& name) {
    return static_cast<std::uint32_t>(std::stoi(name.get<std::string>().substr(1)));
  };
  for (const Json& test : golden["rrf"]) {
    std::vector<Scores> scores;
    for (const Json& names : test["lists"]) {
      Scores& list = scores.emplace_back(100, kNone);
      float score = 0;
      for (const Json& name : names) list[number(name)] = --score;
    }
    const std::vector<ScoreList> lists(scores.begin(), scores.end());
    const std::vector<Scored> fused =
        top_items(reciprocal_rank_fusion(lists, test["k"].get<double>()), 0);
    ASSERT_EQ(fused.size(), test["fused"].size());
    for (std::size_t i = 0; i < fused.size(); ++i) {
      EXPECT_EQ(fused[i].item, number(test["fused"][i][0]));
      EXPECT_NEAR(fused[i].score, test["fused"][i][1].get<double>(), 1e-9);
    }
  }
}

TEST(WeightedSum, AMissingItemTakesNothing) {
  const Scores a{1, kNone, 3, kNone};
  const Scores b{kNone, 2, -4, kNone};
  const std::vector<double> sums = weighted_sum(std::vector<ScoreList>{{a, 1}, {b, 0.5}});
  EXPECT_EQ(sums[0], 1);
  EXPECT_EQ(sums[1], 1);
  EXPECT_EQ(sums[2], 1);
  EXPECT_TRUE(std::isnan(sums[3]));
}

TEST(WeightedFusion, ByHand) {
  // List a: mean 2, deviation 1. List b: mean 20, deviation 10. Item 2 is missing from b, 4 from a.
  const Scores a{3, 1, 3, 1, kNone, kNone};
  const Scores b{10, 30, kNone, 30, 10, kNone};
  const std::vector<double> fused = weighted_fusion(std::vector<ScoreList>{{a, 1}, {b, 0.5}});
  const double expected[] = {1 - 0.5, -1 + 0.5, 1 - 0.5, -1 + 0.5, -1 - 0.5};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(fused[i], expected[i], 1e-12) << i;
  EXPECT_TRUE(std::isnan(fused[5]));
}

TEST(WeightedFusion, FlatEmptyAndBrokenListsAddNothing) {
  const Scores flat{0.1F, 0.1F, 0.1F};
  for (const double score : weighted_fusion(std::vector<ScoreList>{{flat, 1}})) {
    EXPECT_EQ(score, 0);
  }
  const Scores some{3, 1, kNone};
  const Scores none(3, kNone);
  const std::vector<double> plain = weighted_fusion(std::vector<ScoreList>{{some, 1}});
  const std::vector<double> both = weighted_fusion(std::vector<ScoreList>{{some, 1}, {none, 1}});
  EXPECT_EQ(plain[0], both[0]);
  EXPECT_EQ(plain[1], both[1]);
  EXPECT_TRUE(std::isnan(both[2]));
}

}  // namespace
}  // namespace fineprint::score
