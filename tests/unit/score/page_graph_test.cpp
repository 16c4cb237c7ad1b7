// Page graphs: by hand, and against NumPy's.
#include "fineprint/score/page_graph.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

namespace fineprint::score {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

// One vector a page.
PageGraph graph_of(const std::vector<float>& values, std::size_t dim, const GraphOptions& options) {
  std::vector<std::uint32_t> first;
  for (std::uint32_t p = 0; p <= values.size() / dim; ++p) first.push_back(p);
  return page_graph({{VectorType::f32, values.data(), nullptr, values.size() / dim, dim}, first},
                    options);
}

TEST(PageGraph, EdgesGoBothWaysAndTiesToTheSmallerPage) {
  const std::vector<float> values{1, 0, 1, 0, 2, 0, 0, 1};  // three alike, one apart
  EXPECT_EQ(graph_of(values, 2, {.neighbours = 1}), (Graph{{1, 2}, {0}, {0}, {}}));
  EXPECT_EQ(graph_of(values, 2, {}), (Graph{{1, 2}, {0, 2}, {0, 1}, {}}));
  EXPECT_EQ(graph_of(values, 2, {.neighbours = 0, .threshold = -1}),
            (Graph{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}));
}

TEST(PageGraph, ShortDocumentsHaveNoEdges) {
  const std::vector<float> values{1, 0, 1, 0, 1, 0};
  EXPECT_EQ(graph_of(values, 2, {}), (Graph{{}, {}, {}}));
  EXPECT_EQ(graph_of(values, 2, {.smallest = 3}), (Graph{{1, 2}, {0, 2}, {0, 1}}));
  EXPECT_TRUE(graph_of({}, 2, {}).empty());
}

TEST(PageGraph, PagesWithoutDirectionHaveNoEdges) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values{1, 0, 0, 0, 1, 0, nan, 0, 1, 0};
  for (const auto similarity :
       {GraphSimilarity::mean_cosine, GraphSimilarity::mean_dot, GraphSimilarity::max_sim}) {
    EXPECT_EQ(graph_of(values, 2, {.similarity = similarity, .threshold = -1}),
              (Graph{{2, 4}, {}, {0, 4}, {}, {0, 2}}));
  }
  // An empty page between others.
  const std::vector<float> three{1, 0, 1, 0, 1, 0};
  const std::vector<std::uint32_t> first{0, 1, 1, 2, 3};
  for (const auto similarity : {GraphSimilarity::mean_cosine, GraphSimilarity::max_sim}) {
    EXPECT_EQ(page_graph({{VectorType::f32, three.data(), nullptr, 3, 2}, first},
                         {.similarity = similarity}),
              (Graph{{2, 3}, {}, {0, 3}, {0, 2}}));
  }
}

// Of two vectors (1, 0) and (0, 1) the mean is (0.5, 0.5), of length 0.707. Its product with itself
// is 0.5, with (1, 0) 0.5, and with the mean (0.5, 0) of (1, 0) and (0, 0) 0.25; by cosine these
// are 1, 0.707 and 0.707.
TEST(PageGraph, InnerProductsOfMeanVectorsAreNotScaledToLengthOne) {
  const std::vector<float> values{1,
                                  0,
                                  0,
                                  1,
                                  /* page 1 */ 0,
                                  1,
                                  1,
                                  0,
                                  /* page 2 */ 1,
                                  0,
                                  /* page 3 */ 1,
                                  0,
                                  0,
                                  0};
  const std::vector<std::uint32_t> first{0, 2, 4, 5, 7};
  const VectorBags pages{{VectorType::f32, values.data(), nullptr, 7, 2}, first};
  GraphOptions options{.similarity = GraphSimilarity::mean_dot, .neighbours = 0, .threshold = 0.4};
  // 0-1: 0.5, 0-2: 0.5, 1-2: 0.5, 2-3: 0.5, 0-3 and 1-3: 0.25.
  EXPECT_EQ(page_graph(pages, options), (Graph{{1, 2}, {0, 2}, {0, 1, 3}, {2}}));
  options.similarity = GraphSimilarity::mean_cosine;
  EXPECT_EQ(page_graph(pages, options), (Graph{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}));
}

TEST(PageGraph, SimilaritiesHaveNames) {
  EXPECT_EQ(name_of(GraphSimilarity::mean_cosine), "meanpool_cosine");
  EXPECT_EQ(name_of(GraphSimilarity::mean_dot), "meanpool_dot");
  EXPECT_EQ(name_of(GraphSimilarity::max_sim), "maxsim_norm");
}

TEST(PageGraph, EdgesAreNumPys) {
  const Json golden = parse_json(read_file(FINEPRINT_TEST_GOLDEN "/pooling.json"), "pooling.json");
  for (const Json& item : golden.at("graphs")) {
    const std::size_t dim = item.at("dim");
    auto values = item.at("vectors").get<std::vector<float>>();
    for (std::size_t r = 0; r < values.size(); r += dim) {
      double squares = 0;
      for (std::size_t d = 0; d < dim; ++d) squares += std::pow(values[r + d], 2);
      for (std::size_t d = 0; d < dim; ++d) {
        values[r + d] = static_cast<float>(values[r + d] / std::sqrt(squares));
      }
    }
    std::vector<std::uint32_t> first{0};
    for (const std::uint32_t count : item.at("counts")) first.push_back(first.back() + count);
    const VectorBags pages{{VectorType::f32, values.data(), nullptr, first.back(), dim}, first};
    GraphOptions options{
        .neighbours = item.at("neighbours"), .threshold = item.at("threshold"), .smallest = 0};
    EXPECT_EQ(page_graph(pages, options), item.at("mean_cosine").get<Graph>());
    options.similarity = GraphSimilarity::max_sim;
    EXPECT_EQ(page_graph(pages, options), item.at("max_sim").get<Graph>());
  }
}

}  // namespace
}  // namespace fineprint::score
