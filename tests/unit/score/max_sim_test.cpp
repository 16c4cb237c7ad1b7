// Late interaction by every kernel against sums in double precision, and its exact top k by codes.
#include "fineprint/score/max_sim.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"
#include "fineprint/score/dense.h"

#include "support/exact_max_sim.h"
#include "support/golden_tensors.h"

namespace fineprint::score {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr VectorType kTypes[] = {VectorType::f32, VectorType::f16, VectorType::bf16,
                                 VectorType::i8};

class MaxSim : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_kernel(GetParam()); }
  void TearDown() override { use_kernel(""); }
};

std::vector<float> random_values(std::size_t count, unsigned seed, bool unit_dim = false,
                                 std::size_t dim = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  for (std::size_t r = 0; unit_dim && r < count / dim; ++r) {
    double squares = 0;
    for (std::size_t d = 0; d < dim; ++d) squares += std::pow(values[r * dim + d], 2);
    for (std::size_t d = 0; d < dim; ++d)
      values[r * dim + d] /= static_cast<float>(std::sqrt(squares));
  }
  return values;
}

Matrix random_matrix(std::size_t rows, std::size_t dim, unsigned seed) {
  return {rows, dim, random_values(rows * dim, seed, true, dim)};
}

// Pages of the given sizes, in memory of exactly their length.
struct Pages {
  std::vector<std::uint32_t> first{0};
  std::vector<float> values;
  EncodedRows encoded;

  Pages(const std::vector<std::uint32_t>& sizes, std::size_t dim, VectorType type,
        std::vector<float> numbers)
      : values(std::move(numbers)) {
    for (const std::uint32_t size : sizes) first.push_back(first.back() + size);
    values.resize(first.back() * dim);
    encoded = encode_rows(values, first.back(), dim, type);
  }
  VectorBags bags() const { return {encoded.view(), first}; }
};

Pages random_pages(const std::vector<std::uint32_t>& sizes, std::size_t dim, VectorType type,
                   unsigned seed) {
  std::uint32_t rows = 0;
  for (const std::uint32_t size : sizes) rows += size;
  return {sizes, dim, type, random_values(rows * dim, seed, true, dim)};
}

struct Reference {
  double score = 0;
  double size = 0;  // of the products: what rounding is measured by
};

// By the definition, in double precision, from the numbers that the rows stand for.
Reference reference(const Matrix& query, const VectorRows& rows) {
  Reference all;
  if (rows.count == 0) return {-std::numeric_limits<double>::infinity(), 0};
  for (std::size_t q = 0; q < query.rows; ++q) {
    double largest = -std::numeric_limits<double>::infinity();
    double largest_size = 0;
    std::vector<float> row(rows.dim);
    for (std::size_t r = 0; r < rows.count; ++r) {
      decode_row(rows, r, row.data());
      double product = 0;
      double size = 0;
      for (std::size_t d = 0; d < rows.dim; ++d) {
        const double term = static_cast<double>(query.row(q)[d]) * static_cast<double>(row[d]);
        product += term;
        size += std::abs(term);
      }
      if (!(product <= largest) && !std::isnan(largest)) largest = product;
      largest_size = std::max(largest_size, size);
    }
    all.score += largest;
    all.size += largest_size;
  }
  return all;
}

void expect_near_reference(const Matrix& query, const VectorBags& pages, const std::string& what) {
  std::vector<float> scores(pages.pages(), -7);
  max_sim(query, pages, scores.data());
  for (std::size_t p = 0; p < pages.pages(); ++p) {
    const Reference expected = reference(query, pages.page(p));
    if (std::isfinite(expected.score)) {
      EXPECT_NEAR(scores[p], expected.score, 2e-6 * expected.size + 1e-40)
          << what << ", page " << p;
    } else if (std::isnan(expected.score)) {
      EXPECT_TRUE(std::isnan(scores[p])) << what << ", page " << p << ": " << scores[p];
    } else {
      EXPECT_EQ(scores[p], static_cast<float>(expected.score)) << what << ", page " << p;
    }
  }
}

std::string described(VectorType type, std::size_t dim) {
  return std::string(vector_type_name(type)) + ", dim " + std::to_string(dim);
}

TEST_P(MaxSim, AgreesWithDoublePrecisionForEveryTypeSizeAndQuery) {
  for (const VectorType type : kTypes) {
    for (const std::size_t dim : {1, 2, 3, 8, 31, 96, 100, 128, 320}) {
      const Pages pages = random_pages({0, 1, 2, 15, 16, 17, 0, 33, 70}, dim, type, 5);
      for (const std::size_t vectors : {1, 5, 24}) {
        expect_near_reference(random_matrix(vectors, dim, 6), pages.bags(), described(type, dim));
      }
    }
  }
}

TEST_P(MaxSim, QueriesOfAnyNumberOfVectors) {
  const Pages pages = random_pages({9, 40}, 16, VectorType::f32, 7);
  for (std::size_t vectors = 1; vectors < 60; ++vectors) {
    expect_near_reference(random_matrix(vectors, 16, 8), pages.bags(), std::to_string(vectors));
  }
  std::vector<float> scores(2, -7);
  max_sim({0, 16, {}}, pages.bags(), scores.data());
  EXPECT_EQ(scores, (std::vector<float>{0, 0}));
}

TEST_P(MaxSim, ConstantZeroAndDenormalVectors) {
  for (const VectorType type : kTypes) {
    for (const float value : {0.0F, 1.0F, -0.25F, 1e-42F, 3e-8F}) {
      for (const std::size_t dim : {31, 128}) {
        const Pages pages({3, 20}, dim, type, std::vector<float>(23 * dim, value));
        for (const float asked : {0.0F, 1.0F, 1e-42F}) {
          expect_near_reference({2, dim, std::vector<float>(2 * dim, asked)}, pages.bags(),
                                described(type, dim) + " of " + std::to_string(value));
        }
      }
    }
  }
}

TEST_P(MaxSim, NanStaysWithItsPage) {
  for (const VectorType type : kTypes) {
    for (const std::size_t at : {0, 5, 39, 40}) {  // the last is of the second page
      std::vector<float> values = random_values(60 * 31, 9);
      values[at * 31 + 30] = kNan;
      const Pages pages({40, 20}, 31, type, values);
      std::vector<float> scores(2);
      max_sim(random_matrix(3, 31, 10), pages.bags(), scores.data());
      EXPECT_EQ(std::isnan(scores[0]), at < 40) << described(type, 31) << ", row " << at;
      EXPECT_EQ(std::isnan(scores[1]), at == 40) << described(type, 31) << ", row " << at;
    }
    Matrix query = random_matrix(30, 31, 11);
    query.values[7 * 31] = kNan;
    const Pages pages = random_pages({4, 0}, 31, type, 12);
    std::vector<float> scores(2);
    max_sim(query, pages.bags(), scores.data());
    EXPECT_TRUE(std::isnan(scores[0]));
    EXPECT_EQ(scores[1], -kInfinity);
  }
}

TEST_P(MaxSim, RowsAreScoredAsIfDecoded) {
  for (const VectorType type : {VectorType::f16, VectorType::bf16, VectorType::i8}) {
    const Pages pages = random_pages({20, 37}, 48, type, 13);
    std::vector<float> decoded(57 * 48);
    for (std::size_t r = 0; r < 57; ++r) {
      decode_row(pages.bags().rows, r, decoded.data() + r * 48);
    }
    const Pages plain({20, 37}, 48, VectorType::f32, decoded);
    const Matrix query = random_matrix(6, 48, 14);
    std::vector<float> scores(2), expected(2);
    max_sim(query, pages.bags(), scores.data());
    max_sim(query, plain.bags(), expected.data());
    EXPECT_EQ(scores, expected) << vector_type_name(type);
  }
}

TEST_P(MaxSim, ReferenceScores) {
  const fineprint::testing::GoldenTensors golden(FINEPRINT_TEST_DATA
                                                 "/method_ranking/expected.safetensors");
  const auto numbers = [&](const std::string& name) {
    const std::vector<std::uint8_t> bytes = golden.bytes(name);
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  std::vector<std::uint32_t> sizes;
  std::vector<float> values;
  for (int p = 0; p < 4; ++p) {
    const auto page = numbers("maxsim.page" + std::to_string(p));
    values.insert(values.end(), page.begin(), page.end());
    sizes.push_back(static_cast<std::uint32_t>(page.size() / 128));
  }
  const Pages pages(sizes, 128, VectorType::f32, values);
  const auto expected = numbers("maxsim.scores");
  for (std::size_t q = 0; q < 3; ++q) {
    const auto vectors = numbers("maxsim.query" + std::to_string(q));
    const Matrix query{vectors.size() / 128, 128, {vectors.begin(), vectors.end()}};
    std::vector<float> scores(4);
    max_sim(query, pages.bags(), scores.data());
    for (std::size_t p = 0; p < 4; ++p) EXPECT_NEAR(scores[p], expected[q * 4 + p], 1e-5);
  }
}

// What exact_max_sim_top_k() must equal.
std::vector<Scored> by_float32(const Matrix& query, const VectorBags& exact, std::size_t k) {
  std::vector<float> scores(exact.pages());
  max_sim(query, exact, scores.data());
  std::vector<Scored> items;
  for (std::uint32_t p = 0; p < scores.size(); ++p) items.push_back({p, scores[p]});
  return top_k(items, k);
}

void expect_same(const Matrix& query, const std::vector<std::uint32_t>& sizes, std::size_t dim,
                 const std::vector<float>& values, const std::string& what) {
  const Pages exact(sizes, dim, VectorType::f32, values);
  const Pages codes(sizes, dim, VectorType::i8, values);
  const std::vector<float> errors = fineprint::testing::page_errors(codes.bags(), exact.bags());
  for (const std::size_t k : {0, 1, 3, 100}) {
    const auto found =
        fineprint::testing::exact_max_sim_top_k(query, codes.bags(), errors, exact.bags(), k);
    const auto expected = by_float32(query, exact.bags(), k);
    ASSERT_EQ(found.size(), expected.size()) << what << ", k " << k;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].item, expected[i].item) << what << ", k " << k << ", rank " << i;
      // To the last bit; NaN is unequal to itself.
      if (!std::isnan(expected[i].score)) {
        EXPECT_EQ(found[i].score, expected[i].score) << what << ", k " << k << ", rank " << i;
      }
    }
  }
}

TEST_P(MaxSim, TopKByCodesEqualsFloat32) {
  std::mt19937 random(15);
  for (const std::size_t dim : {1, 31, 96, 128, 320}) {
    for (const std::size_t vectors : {1, 5, 30}) {
      std::vector<std::uint32_t> sizes{0, 1, 16};
      std::uint32_t rows = 17;
      while (sizes.size() < 40) {
        sizes.push_back(random() % 50);
        rows += sizes.back();
      }
      expect_same(random_matrix(vectors, dim, 16), sizes, dim,
                  random_values(rows * dim, 17, true, dim), "dim " + std::to_string(dim));
      // Lengths all over the place.
      std::vector<float> wild = random_values(rows * dim, 18);
      for (std::size_t i = 0; i < wild.size(); ++i) {
        wild[i] *= std::exp2(static_cast<float>((i / dim * 7919) % 40) - 20);
      }
      expect_same(random_matrix(vectors, dim, 19), sizes, dim, wild, "wild " + std::to_string(dim));
    }
  }
}

TEST_P(MaxSim, TopKByCodesWithTiesZerosDenormalsAndNan) {
  const std::vector<std::uint32_t> sizes{4, 4, 4, 4, 4, 4};
  const std::vector<float> once = random_values(4 * 32, 20);
  std::vector<float> same;
  for (int page = 0; page < 6; ++page) same.insert(same.end(), once.begin(), once.end());
  const Matrix query = random_matrix(5, 32, 21);
  expect_same(query, sizes, 32, same, "ties");
  expect_same(query, sizes, 32, std::vector<float>(same.size(), 0), "zeros");
  expect_same(query, sizes, 32, std::vector<float>(same.size(), 1e-42F), "denormals");
  expect_same({5, 32, std::vector<float>(5 * 32, 0)}, sizes, 32, same, "query of zeros");
  expect_same({5, 32, std::vector<float>(5 * 32, 1e-44F)}, sizes, 32, same, "query of denormals");
  Matrix partly = query;
  std::fill_n(partly.values.begin(), 32, 0.0F);
  expect_same(partly, sizes, 32, random_values(24 * 32, 22), "a query vector of zeros");
  for (const float odd : {kNan, kInfinity, -kInfinity, 3e38F}) {
    std::vector<float> values = random_values(24 * 32, 23);
    values[9 * 32 + 3] = odd;
    expect_same(query, sizes, 32, values, "page with " + std::to_string(odd));
    Matrix asked = query;
    asked.values[40] = odd;
    expect_same(asked, sizes, 32, random_values(24 * 32, 24), "query with " + std::to_string(odd));
  }
  expect_same({0, 32, {}}, sizes, 32, same, "query without vectors");
}

TEST_P(MaxSim, PagesInPiecesOnThreads) {
  constexpr std::size_t kPages = 60, kDim = 64, kBest = 5;
  const std::vector<std::uint32_t> sizes(kPages, 30);
  const std::vector<float> values = random_values(kPages * 30 * kDim, 31, true, kDim);
  const Pages exact(sizes, kDim, VectorType::f32, values);
  const Pages codes(sizes, kDim, VectorType::i8, values);
  const std::vector<float> errors = fineprint::testing::page_errors(codes.bags(), exact.bags());
  const Matrix query = random_matrix(7, kDim, 32);
  std::vector<float> scores(kPages);
  ExactMaxSim best(query, kBest);
  parallel_for(kPages / 4, 4, [&](std::size_t piece) {
    const std::span<const std::uint32_t> first = codes.bags().first.subspan(4 * piece, 5);
    best.score({codes.bags().rows, first}, std::span(errors).subspan(4 * piece, 4),
               {exact.bags().rows, first}, scores.data() + 4 * piece);
  });
  EXPECT_EQ(top_items(std::span<const float>(scores), kBest),
            by_float32(query, exact.bags(), kBest));
  std::vector<float> expected(kPages);
  max_sim(query, exact.bags(), expected.data());
  for (std::size_t p = 0; p < kPages; ++p) EXPECT_NEAR(scores[p], expected[p], 0.2) << p;
}

TEST_P(MaxSim, TopKOfNearEqualsIsNotFooledByRounding) {
  // Pages that differ by less than a code's step.
  std::vector<float> values;
  std::vector<std::uint32_t> sizes;
  const std::vector<float> once = random_values(3 * 64, 25, true, 64);
  std::mt19937 random(26);
  for (int page = 0; page < 50; ++page) {
    sizes.push_back(3);
    for (const float value : once) {
      values.push_back(value + 1e-4F * static_cast<float>(random() % 100) / 100);
    }
  }
  expect_same(random_matrix(9, 64, 27), sizes, 64, values, "near equals");
}

INSTANTIATE_TEST_SUITE_P(Kernels, MaxSim, ::testing::ValuesIn(dense_kernels()),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(BestRows, TheFirstOfEqualsAndNeverNan) {
  const std::vector<float> values{1, 0, 0, 1, 1, 0, kNan, 0};
  const VectorRows rows{VectorType::f32, values.data(), nullptr, 4, 2};
  EXPECT_EQ(best_rows({3, 2, {1, 0, 0, 1, 1, 1}}, rows), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_TRUE(best_rows({1, 2, {1, 0}}, rows.slice(0, 0)).empty());
}

TEST(MeanVector, IsTheMeanOfWhatTheRowsStandFor) {
  const EncodedRows rows = encode_rows(std::vector<float>{1, 2, 3, 6}, 2, 2, VectorType::bf16);
  EXPECT_EQ(mean_vector(rows.view()), (std::vector<float>{2, 4}));
  EXPECT_EQ(mean_vector(rows.view().slice(0, 0)), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace fineprint::score
