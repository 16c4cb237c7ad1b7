// Tests of choosing what of found pages is read, and of sorting them by it.
#include "fineprint/retrieve/page_reading.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/models/model_spec.h"

#include "support/fake_qa_model.h"
#include "support/ids.h"
#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using fineprint::testing::FakeQaModel;
using fineprint::testing::typed_page;

FoundPassage passage(std::size_t place, double promise, std::size_t words = 10) {
  FoundPassage one;
  one.place = place;
  one.promise = promise;
  for (std::size_t i = 0; i < words; ++i) one.passage.passage.text += "word ";
  return one;
}

std::vector<std::pair<std::size_t, double>> chosen(std::vector<FoundPassage> all,
                                                   std::size_t pieces) {
  std::vector<std::pair<std::size_t, double>> places;
  for (const FoundPassage& one : most_promising(std::move(all), pieces)) {
    places.emplace_back(one.place, one.promise);
  }
  return places;
}

using Chosen = std::vector<std::pair<std::size_t, double>>;

TEST(PageReadingTest, TheBestOfEachPageThenTheBestOfAll) {
  const std::vector<FoundPassage> all = {passage(0, 0.2), passage(0, 0.9), passage(1, 0.1),
                                         passage(0, 0.8), passage(2, 0.7), passage(2, 0.6)};
  EXPECT_EQ(chosen(all, 10000),
            (Chosen{{0, 0.9}, {1, 0.1}, {2, 0.7}, {0, 0.8}, {2, 0.6}, {0, 0.2}}));
  EXPECT_EQ(chosen(all, 4 * 35), (Chosen{{0, 0.9}, {1, 0.1}, {2, 0.7}, {0, 0.8}}));
}

TEST(PageReadingTest, WhatIsTooLongIsPassedOverButForTheFirst) {
  const std::vector<FoundPassage> all = {passage(0, 0.9, 100), passage(1, 0.8, 50),
                                         passage(2, 0.7)};
  EXPECT_EQ(chosen(all, 165), (Chosen{{0, 0.9}, {2, 0.7}}));
  EXPECT_EQ(chosen(all, 1), (Chosen{{0, 0.9}}));
  EXPECT_TRUE(chosen({}, 100).empty());
}

TEST(PageReadingTest, OddsOfASearchAreOfItsScoresOrItsRanks) {
  std::vector<FoundPage> found(3);
  found[0].score = 0.5;
  found[1].score = 0.9;
  found[2].score = 0.4;
  const std::vector<double> by_score = search_odds(found, Fusion::weighted);
  EXPECT_NEAR(by_score[0], -8.6 * 0.4, 1e-9);
  EXPECT_EQ(by_score[1], 0);
  EXPECT_NEAR(by_score[2], -8.6 * 0.5, 1e-9);
  const std::vector<double> by_rank = search_odds(found, Fusion::rrf);
  EXPECT_NEAR(by_rank[0], -1.6 * std::log(2), 1e-9);
  EXPECT_EQ(by_rank[1], 0);
  EXPECT_NEAR(by_rank[2], -1.6 * std::log(3), 1e-9);
  EXPECT_TRUE(search_odds({}, Fusion::weighted).empty());
}

TEST(PageReadingTest, WhatAQaModelAddsToAScoreIsWorthWhatItAddsToTheOdds) {
  EXPECT_NEAR(joint_odds(2, -1), joint_odds(0, -1 + 8.6 * relevance_in_score(2)), 1e-9);
}

class QaRerankTest : public ::testing::Test {
 protected:
  QaRerankTest() {
    store_.put("a.pdf", {typed_page({"alpha beta"}), typed_page({"alpha beta one gamma"}),
                         typed_page({"alpha beta one two delta"}), typed_page({"eta"})});
    options_.scorers = {"bm25"};
    options_.rerank = models::kBuiltInQaModel;
  }

  std::vector<FoundPage> find(const std::vector<std::string>& marks) {
    session::SessionParts parts;
    parts.reranker = std::make_unique<FakeQaModel>(marks);
    session::Session session(store_.store(), {}, std::move(parts));
    Trace trace(true);
    Budget budget;
    session::Context context(session, trace, budget);
    return search(context, "alpha beta?", options_);
  }

  testing::SmallStore store_;
  SearchOptions options_;
};

TEST_F(QaRerankTest, SortsPagesByTheirBestPassageAndWhereTheyWereFound) {
  options_.rerank.clear();
  const auto by_search = find({"delta"});
  const double gap = by_search[2].score - by_search[0].score;
  options_.rerank = models::kBuiltInQaModel;
  const auto found = find({"delta"});
  EXPECT_EQ(page_numbers(found), testing::ids<PageId>({2, 0, 1}));
  EXPECT_NEAR(found[0].score, 1 / (1 + std::exp(-0.38 * 6 - 8.6 * gap)), 1e-9);  // found third
  EXPECT_NEAR(found[1].score, 1 / (1 + std::exp(0.38 * 6)), 1e-9);
  EXPECT_EQ(found[0].scores.back().scorer, "rerank");
}

TEST_F(QaRerankTest, NoneSortsNothing) {
  options_.rerank = "none";
  const auto found = find({"delta"});
  EXPECT_EQ(page_numbers(found), testing::ids<PageId>({0, 1, 2}));
  EXPECT_EQ(found[0].scores.size(), 1U);
}

TEST_F(QaRerankTest, TheBuiltInOneGivesWayToAChoiceByScores) {
  options_.adaptive = true;
  for (const FoundPage& page : find({"delta"})) EXPECT_EQ(page.scores.size(), 1U);
}

}  // namespace
}  // namespace fineprint::retrieve
