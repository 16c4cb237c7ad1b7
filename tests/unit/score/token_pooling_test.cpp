// Pooled rows: by hand, and against SciPy's groups.
#include "fineprint/score/token_pooling.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

namespace fineprint::score {
namespace {

Matrix unit_rows(Matrix matrix) {
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    double squares = 0;
    for (const float value : matrix.row(r)) squares += std::pow(static_cast<double>(value), 2);
    for (float& value : matrix.row(r)) value = static_cast<float>(value / std::sqrt(squares));
  }
  return matrix;
}

TEST(PoolTokens, JoinsWhatPointsTheSameWay) {
  const Matrix rows = unit_rows({5, 2, {1, 0, 0, 1, 1, 0.1F, 0.1F, 1, 1, 0}});
  const Matrix pooled = pool_tokens(rows, 2);
  ASSERT_EQ(pooled.rows, 2U);  // in the order of first members: to the right, then upwards
  EXPECT_GT(pooled.row(0)[0], 0.99F);
  EXPECT_GT(pooled.row(1)[1], 0.99F);
  EXPECT_NEAR(std::hypot(pooled.row(0)[0], pooled.row(0)[1]), 1, 1e-6);
}

TEST(PoolTokens, SmallFactorsAndShortPages) {
  const Matrix rows = unit_rows({3, 2, {1, 0, 0, 1, 1, 1}});
  EXPECT_EQ(pool_tokens(rows, 1).values, rows.values);
  EXPECT_EQ(pool_tokens(rows, 0).values, rows.values);
  EXPECT_EQ(pool_tokens(rows, -4).values, rows.values);
  EXPECT_EQ(pool_tokens(rows, 2).rows, 1U);
  EXPECT_EQ(pool_tokens(rows, 1000).rows, 1U);
  EXPECT_EQ(pool_tokens({0, 2, {}}, 3).rows, 0U);
  EXPECT_EQ(pool_tokens(unit_rows({1, 2, {3, 4}}), 3).rows, 1U);
}

TEST(PoolTokens, EqualOppositeAndBrokenRowsEndToo) {
  EXPECT_EQ(pool_tokens({64, 3, std::vector<float>(64 * 3, 0.5F)}, 4).rows, 16U);
  EXPECT_EQ(pool_tokens({64, 3, std::vector<float>(64 * 3, 0)}, 4).rows, 16U);
  const Matrix opposite = pool_tokens({2, 1, {1, -1}}, 2);  // their mean has no direction
  EXPECT_EQ(opposite.values, std::vector<float>{0});
  std::vector<float> values(40 * 3, 0.5F);
  values[10] = std::numeric_limits<float>::quiet_NaN();
  values[20] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(pool_tokens({40, 3, values}, 4).rows, 10U);
}

TEST(PoolTokens, GroupsAreSciPys) {
  const Json golden = parse_json(read_file(FINEPRINT_TEST_GOLDEN "/pooling.json"), "pooling.json");
  for (const Json& item : golden.at("poolings")) {
    Matrix rows{0, item.at("dim"), item.at("vectors").get<std::vector<float>>()};
    rows.rows = rows.values.size() / rows.cols;
    rows = unit_rows(rows);
    const Matrix pooled = pool_tokens(rows, item.at("factor"));
    ASSERT_EQ(pooled.rows, item.at("groups").size());
    for (std::size_t g = 0; g < pooled.rows; ++g) {
      const auto members = item.at("groups")[g].get<std::vector<std::size_t>>();
      std::vector<double> sum(rows.cols);
      double squares = 0;
      for (std::size_t d = 0; d < rows.cols; ++d) {
        for (const std::size_t member : members) sum[d] += static_cast<double>(rows.row(member)[d]);
        squares += sum[d] * sum[d];
      }
      for (std::size_t d = 0; d < rows.cols; ++d) {
        ASSERT_NEAR(pooled.row(g)[d], sum[d] / std::sqrt(squares), 1e-5)
            << rows.rows << " rows, group " << g;
      }
    }
  }
}

}  // namespace
}  // namespace fineprint::score
