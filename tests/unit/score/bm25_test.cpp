// BM25 by hand and against bm25s.
#include "fineprint/score/bm25.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

namespace fineprint::score {
namespace {

TEST(Bm25, IdfByHand) {
  EXPECT_DOUBLE_EQ(bm25_idf(10, 1), std::log(1 + 9.5 / 1.5));
  EXPECT_NEAR(bm25_idf(10, 10), std::log(1 + 0.5 / 10.5), 1e-15);
  EXPECT_NEAR(bm25_idf(3, 1), 0.980829253011726, 1e-15);
  EXPECT_GT(bm25_idf(5, 5), 0);
}

TEST(Bm25, ScoresByHand) {
  // Three units of lengths 4, 2, 6 (average 4); the term stands twice in unit 0, once in unit 2.
  const std::vector<Posting> postings{{0, 2}, {2, 1}};
  const std::vector<std::uint32_t> lengths{4, 2, 6};
  std::vector<float> scores{0, 1, 10};
  bm25_add(postings, bm25_damping(lengths, {}), 2 * bm25_idf(3, 2), scores);
  const double idf = std::log(1 + 1.5 / 2.5);
  EXPECT_FLOAT_EQ(scores[0], static_cast<float>(2 * idf * 2 / (2 + 1.5)));
  EXPECT_FLOAT_EQ(scores[1], 1);
  EXPECT_FLOAT_EQ(scores[2], static_cast<float>(10 + 2 * idf / (1 + 1.5 * (0.25 + 0.75 * 1.5))));
}

TEST(Bm25, WithoutLengthsItStaysFinite) {
  for (const double b : {0.0, 0.75, 1.0}) {
    std::vector<float> scores{0};
    const std::vector<Posting> postings{{0, 1}};
    const std::vector<std::uint32_t> lengths{0};
    bm25_add(postings, bm25_damping(lengths, {1.5, b}), bm25_idf(1, 1), scores);
    EXPECT_TRUE(std::isfinite(scores[0]));
  }
  EXPECT_TRUE(bm25_damping({}, {}).empty());
}

TEST(Bm25, EqualsBm25s) {
  const Json golden = parse_json(read_file(FINEPRINT_TEST_GOLDEN "/bm25.json"), "golden");
  const auto units = golden["units"].get<std::vector<std::vector<std::uint32_t>>>();
  std::vector<std::uint32_t> lengths;
  for (const auto& terms : units) lengths.push_back(static_cast<std::uint32_t>(terms.size()));
  for (const Json& query : golden["queries"]) {
    const auto damping =
        bm25_damping(lengths, {query["k1"].get<double>(), query["b"].get<double>()});
    std::vector<float> scores(units.size());
    for (const Json& term : query["terms"]) {
      std::vector<Posting> postings;
      for (std::uint32_t u = 0; u < units.size(); ++u) {
        const auto count = std::ranges::count(units[u], term.get<std::uint32_t>());
        if (count > 0) postings.push_back({u, static_cast<std::uint32_t>(count)});
      }
      bm25_add(postings, damping, bm25_idf(units.size(), postings.size()), scores);
    }
    for (std::size_t u = 0; u < units.size(); ++u) {
      EXPECT_NEAR(scores[u], query["scores"][u].get<double>(), 1e-5);
    }
  }
}

}  // namespace
}  // namespace fineprint::score
