// Ranking measures by hand, against ir_measures, and against the fixture of methods.
#include "fineprint/metrics/ranking.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

namespace fineprint::metrics {
namespace {

PageRef page(const std::string& name) { return {name, 1}; }

std::vector<PageRef> pages_of(const Json& names) {
  std::vector<PageRef> pages;
  for (const Json& name : names) pages.push_back(page(name.get<std::string>()));
  return pages;
}

TEST(Ranking, ByHand) {
  const std::vector<PageRef> ranking{page("a"), page("b"), page("c")};
  const std::set<PageRef> gold{page("b"), page("c"), page("x")};
  EXPECT_DOUBLE_EQ(recall(ranking, gold, 2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(recall(ranking, gold, 99), 2.0 / 3);
  EXPECT_DOUBLE_EQ(precision(ranking, gold, 2), 0.5);
  EXPECT_DOUBLE_EQ(precision(ranking, gold, 10), 0.2);
  EXPECT_DOUBLE_EQ(precision_returned(ranking, gold), 2.0 / 3);
  EXPECT_EQ(hit(ranking, gold, 1), 0);
  EXPECT_EQ(hit(ranking, gold, 2), 1);
  EXPECT_DOUBLE_EQ(average_precision(ranking, gold), (0.5 + 2.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(reciprocal_rank(ranking, gold), 0.5);
  const double ideal = 1 + 1 / std::log2(3) + 0.5;
  EXPECT_DOUBLE_EQ(ndcg(ranking, gold, 3), (1 / std::log2(3) + 0.5) / ideal);
}

TEST(Ranking, PagesOfAnotherDocumentOrNumberDoNotCount) {
  const std::set<PageRef> gold{{"a.pdf", 2}};
  EXPECT_EQ(reciprocal_rank({{"b.pdf", 2}, {"a.pdf", 3}}, gold), 0);
  EXPECT_EQ(reciprocal_rank({{"b.pdf", 2}, {"a.pdf", 2}}, gold), 0.5);
}

TEST(Ranking, NothingToFindOrNothingFound) {
  EXPECT_EQ(recall({page("a")}, {}, 5), 0);
  EXPECT_EQ(ndcg({page("a")}, std::set<PageRef>{}, 5), 0);
  EXPECT_EQ(precision({page("a")}, {}, 5), 0);
  EXPECT_EQ(precision({page("a")}, {page("a")}, 0), 0);
  EXPECT_EQ(precision_returned({}, {page("a")}), 0);
  EXPECT_EQ(average_precision({page("a")}, {}), 0);
  EXPECT_EQ(hit({}, {page("a")}, 5), 0);
  EXPECT_EQ(reciprocal_rank({}, {page("a")}), 0);
  EXPECT_EQ(ndcg({}, std::set{page("a")}, 5), 0);
  EXPECT_EQ(ndcg({page("a")}, std::set{page("a")}, 0), 0);
}

TEST(Ranking, EqualsIrMeasures) {
  const Json golden = parse_json(read_file(FINEPRINT_TEST_GOLDEN "/ranking.json"), "golden");
  ASSERT_GE(golden["cases"].size(), 40u);
  for (const Json& test : golden["cases"]) {
    const std::vector<PageRef> ranking = pages_of(test["ranking"]);
    const std::vector<PageRef> names = pages_of(test["gold"]);
    const std::set<PageRef> gold(names.begin(), names.end());
    std::map<PageRef, double> gains;
    for (std::size_t i = 0; i < names.size(); ++i) gains[names[i]] = test["gains"][i];
    const Json& scores = test["scores"];
    EXPECT_NEAR(average_precision(ranking, gold), scores["AP"].get<double>(), 1e-9);
    EXPECT_NEAR(reciprocal_rank(ranking, gold), scores["RR"].get<double>(), 1e-9);
    for (const std::size_t k : {1u, 3u, 5u, 10u}) {
      const std::string cut = "@" + std::to_string(k);
      EXPECT_NEAR(recall(ranking, gold, k), scores["R" + cut].get<double>(), 1e-9);
      EXPECT_NEAR(precision(ranking, gold, k), scores["P" + cut].get<double>(), 1e-9);
      EXPECT_NEAR(hit(ranking, gold, k), scores["Success" + cut].get<double>(), 1e-9);
      EXPECT_NEAR(ndcg(ranking, gains, k), scores["nDCG" + cut].get<double>(), 1e-9);
    }
  }
}

TEST(Ranking, EqualsTheFixture) {
  const Json golden =
      parse_json(read_file(FINEPRINT_TEST_DATA "/method_ranking/case.json"), "golden");
  for (const Json& test : golden["metrics"]) {
    const std::vector<PageRef> ranking = pages_of(test["ranking"]);
    std::set<PageRef> gold;
    std::map<PageRef, double> gains;
    for (const auto& [name, relevance] : test["relevance"].items()) {
      gold.insert(page(name));
      gains[page(name)] = relevance;
    }
    for (const std::size_t k : {1u, 3u, 5u, 10u}) {
      const std::string cut = "@" + std::to_string(k);
      EXPECT_NEAR(recall(ranking, gold, k), test["recall" + cut].get<double>(), 1e-9);
      EXPECT_NEAR(precision(ranking, gold, k), test["precision" + cut].get<double>(), 1e-9);
      EXPECT_NEAR(hit(ranking, gold, k), test["hit" + cut].get<double>(), 1e-9);
      EXPECT_NEAR(ndcg(ranking, gains, k), test["ndcg_linear_gain" + cut].get<double>(), 1e-9);
    }
    // The rankings hold ten pages, so that the cut at ten cuts nothing.
    EXPECT_NEAR(reciprocal_rank(ranking, gold), test["mrr@10"].get<double>(), 1e-9);
  }
  EXPECT_GE(golden["metrics"].size(), 5U);
}

TEST(RocAuc, ByHand) {
  EXPECT_EQ(roc_auc({0.1, 0.4, 0.35, 0.8}, {false, false, true, true}), 0.75);
  EXPECT_EQ(roc_auc({1, 2, 3, 4}, {false, false, true, true}), 1);
  EXPECT_EQ(roc_auc({4, 3, 2, 1}, {false, false, true, true}), 0);
  EXPECT_EQ(roc_auc({5, 5, 5, 5}, {false, true, true, false}), 0.5);
  // Pairs: (2,1) won, (2,2) half, (3,1) won, (3,2) won: 3.5 of 4.
  EXPECT_EQ(roc_auc({2, 1, 3, 2}, {true, false, true, false}), 0.875);
}

TEST(RocAuc, OneClassOrNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(roc_auc({1, 2}, {true, true})));
  EXPECT_TRUE(std::isnan(roc_auc({}, {})));
  EXPECT_EQ(roc_auc({nan, 0}, {false, true}), 1);
  EXPECT_EQ(roc_auc({nan, nan}, {false, true}), 0.5);
}

}  // namespace
}  // namespace fineprint::metrics
