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

std::vector<std::uint32_t> items_of(const std::vector<Scored>& list) {
  std::vector<std::uint32_t> items;
  for (const Scored& scored : list) items.push_back(scored.item);
  return items;
}

using Items = std::vector<std::uint32_t>;
using Lists = std::vector<std::vector<Scored>>;

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

TEST(ReciprocalRankFusion, ByHand) {
  const Lists lists{{{1, 9}, {2, 8}}, {{2, 0.5}}};
  const std::vector<double> weights{1, 2};
  const std::vector<Scored> fused = reciprocal_rank_fusion(lists, weights, 1);
  EXPECT_EQ(items_of(fused), (Items{2, 1}));
  EXPECT_DOUBLE_EQ(fused[0].score, 1.0 / 3 + 2.0 / 2);
  EXPECT_DOUBLE_EQ(fused[1].score, 1.0 / 2);
  EXPECT_TRUE(reciprocal_rank_fusion({}, {}).empty());
  EXPECT_THROW(reciprocal_rank_fusion(lists, std::vector<double>{1}), Error);
}

TEST(ReciprocalRankFusion, EqualsTheFixture) {
  const Json golden = parse_json(read_file(FINEPRINT_TEST_DATA "/method_ranking.json"), "golden");
  // Names are d00, d01, ...: ties by name are ties by number.
  const auto number = [](const Json& name) {
    return static_cast<std::uint32_t>(std::stoi(name.get<std::string>().substr(1)));
  };
  for (const Json& test : golden["rrf"]) {
    Lists lists;
    for (const Json& names : test["lists"]) {
      lists.emplace_back();
      for (const Json& name : names) lists.back().push_back({number(name), 0});
    }
    const std::vector<double> ones(lists.size(), 1);
    const std::vector<Scored> fused = reciprocal_rank_fusion(lists, ones, test["k"].get<double>());
    ASSERT_EQ(fused.size(), test["fused"].size());
    for (std::size_t i = 0; i < fused.size(); ++i) {
      EXPECT_EQ(fused[i].item, number(test["fused"][i][0]));
      EXPECT_NEAR(fused[i].score, test["fused"][i][1].get<double>(), 1e-9);
    }
  }
}

TEST(WeightedFusion, ByHand) {
  // List a: mean 2, deviation 1. List b: mean 20, deviation 10. Item 3 is missing from b.
  const Lists lists{{{1, 3}, {2, 1}, {3, 3}, {4, 1}}, {{1, 10}, {2, 30}, {4, 30}, {5, 10}}};
  const std::vector<double> weights{1, 0.5};
  const std::vector<Scored> fused = weighted_fusion(lists, weights);
  EXPECT_EQ(items_of(fused), (Items{1, 3, 2, 4, 5}));
  EXPECT_NEAR(fused[0].score, 1 - 0.5, 1e-12);
  EXPECT_NEAR(fused[1].score, 1 - 0.5, 1e-12);
  EXPECT_NEAR(fused[2].score, -1 + 0.5, 1e-12);
  EXPECT_NEAR(fused[4].score, -1 - 0.5, 1e-12);
}

TEST(WeightedFusion, FlatEmptyAndBrokenListsAddNothing) {
  const std::vector<double> one{1};
  const std::vector<double> two{1, 1};
  for (const Scored& item : weighted_fusion(Lists{{{1, 0.1}, {2, 0.1}, {3, 0.1}}}, one)) {
    EXPECT_EQ(item.score, 0);
  }
  const std::vector<Scored> plain = weighted_fusion(Lists{{{1, 3}, {2, 1}}}, one);
  EXPECT_EQ(weighted_fusion(Lists{{{1, 3}, {2, 1}}, {}}, two), plain);
  EXPECT_EQ(weighted_fusion(Lists{{{1, 3}, {2, 1}}, {{1, kNan}}}, two), plain);
  // NaN counts as the list's minimum.
  EXPECT_EQ(weighted_fusion(Lists{{{1, 3}, {2, kNan}, {3, 1}}}, one),
            weighted_fusion(Lists{{{1, 3}, {2, 1}, {3, 1}}}, one));
}

}  // namespace
}  // namespace fineprint::score
