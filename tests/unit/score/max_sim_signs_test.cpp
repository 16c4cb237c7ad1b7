// MaxSim by signs, by every kernel, against its definition in double precision.
#include "fineprint/score/max_sim_signs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/score/dense.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::score {
namespace {

class MaxSimSigns : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { use_kernel(GetParam()); }
  void TearDown() override { use_kernel(""); }
};

Matrix drawn(std::size_t rows, std::size_t dim, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.1F, 1);
  Matrix out{rows, dim, std::vector<float>(rows * dim)};
  for (float& value : out.values) value = normal(random);
  return out;
}

VectorRows view_of(const Matrix& matrix) {
  return {.type = VectorType::f32,
          .values = matrix.values.data(),
          .scales = nullptr,
          .count = matrix.rows,
          .dim = matrix.cols};
}

// Pages of the given numbers of rows, which follow each other in `rows`.
SignPages signs_of(const Matrix& rows, const std::vector<std::uint32_t>& counts,
                   const std::vector<float>& centre) {
  SignPages pages(centre, counts);
  std::size_t first = 0;
  for (std::size_t page = 0; page < counts.size(); ++page) {
    pages.encode(page, view_of(rows).slice(first, counts[page]));
    first += counts[page];
  }
  return pages;
}

std::vector<float> estimates(const SignPages& pages, const Matrix& query, std::size_t count) {
  std::vector<float> out(count);
  pages.scores(SignQuery(query, pages.centre()), 0, count, out.data());
  return out;
}

double estimate_of(std::span<const float> q, std::span<const float> d,
                   const std::vector<float>& centre) {
  double squares = 0, magnitudes = 0, signed_sum = 0, shift = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double rest = double{d[i]} - double{centre[i]};
    squares += rest * rest;
    magnitudes += std::abs(rest);
    signed_sum += rest > 0 ? q[i] : -q[i];
    shift += double{q[i]} * double{centre[i]};
  }
  return shift + (magnitudes > 0 ? squares / magnitudes * signed_sum : 0);
}

// The dimensions fill no whole group of four numbers, or no whole pair of groups; the pages fill no
// block, one block or two.
TEST_P(MaxSimSigns, IsTheSumOfTheBestEstimates) {
  const std::vector<std::uint32_t> counts = {1, 32, 33, 0, 7, 70};
  for (const std::size_t dim : {1U, 10U, 12U, 128U, 600U}) {
    const Matrix rows = drawn(143, dim, 1), query = drawn(5, dim, 2);
    const std::vector<float> centre(dim, 0.1F);
    const std::vector<float> got = estimates(signs_of(rows, counts, centre), query, counts.size());
    std::size_t first = 0;
    for (std::size_t page = 0; page < counts.size(); first += counts[page++]) {
      if (counts[page] == 0) {
        EXPECT_EQ(got[page], -std::numeric_limits<float>::infinity());
        continue;
      }
      double expected = 0;
      for (std::size_t q = 0; q < query.rows; ++q) {
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t r = first; r < first + counts[page]; ++r) {
          best = std::max(best, estimate_of(query.row(q), rows.row(r), centre));
        }
        expected += best;
      }
      // Entries of tables are rounded to 1/255 of the widest one.
      EXPECT_NEAR(got[page], expected, 0.02 * std::sqrt(static_cast<double>(dim)) * 5) << dim;
    }
  }
}

TEST_P(MaxSimSigns, IsExactIfAllNumbersAreEquallyFarFromTheCentre) {
  constexpr std::size_t kDim = 64;
  Matrix rows = drawn(40, kDim, 3);
  for (float& value : rows.values) value = value > 0 ? 0.5F : -0.25F;
  const std::vector<std::uint32_t> counts = {40}, first = {0, 40};
  const Matrix query = drawn(3, kDim, 4);
  float exact = 0;
  max_sim(query, {view_of(rows), first}, &exact);
  const std::vector<float> centre(kDim, 0.125F);
  EXPECT_NEAR(estimates(signs_of(rows, counts, centre), query, 1)[0], exact, 0.01 * exact);
}

// The portable kernel sums the same whole numbers.
TEST_P(MaxSimSigns, DoesNotDependOnTheKernel) {
  const Matrix rows = drawn(64, 128, 5), query = drawn(20, 128, 6);
  const SignPages pages = signs_of(rows, {64}, std::vector<float>(128));
  const float by_this = estimates(pages, query, 1)[0];
  use_kernel("portable");
  EXPECT_EQ(estimates(pages, query, 1)[0], by_this);
}

TEST_P(MaxSimSigns, TakesZerosAsTheyAre) {
  const Matrix zeros{2, 8, std::vector<float>(16)};
  const SignPages pages = signs_of(zeros, {2}, std::vector<float>(8));
  EXPECT_EQ(estimates(pages, drawn(2, 8, 7), 1)[0], 0);
  EXPECT_EQ(estimates(signs_of(drawn(2, 8, 8), {2}, std::vector<float>(8)), zeros, 1)[0], 0);
}

// Vectors near to one of 50 directions, as those of a trained model are.
TEST_P(MaxSimSigns, PutsTheBestPageAmongTheFirst) {
  constexpr std::size_t kDim = 128, kPages = 200, kRows = 16;
  const Matrix directions = drawn(50, kDim, 9), noise = drawn(kPages * kRows, kDim, 10);
  Matrix rows = noise;
  std::mt19937 random(11);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto direction = directions.row(random() % directions.rows);
    for (std::size_t i = 0; i < kDim; ++i) rows.row(r)[i] += direction[i];
  }
  const SignPages pages =
      signs_of(rows, std::vector<std::uint32_t>(kPages, kRows), std::vector<float>(kDim, 0.2F));
  for (const std::size_t page : {0U, 77U, 199U}) {
    Matrix query{4, kDim, {}};
    for (std::size_t q = 0; q < query.rows; ++q) {
      const auto row = rows.row(page * kRows + q);
      query.values.insert(query.values.end(), row.begin(), row.end());
    }
    const std::vector<float> got = estimates(pages, query, kPages);
    EXPECT_EQ(std::ranges::max_element(got) - got.begin(), static_cast<std::ptrdiff_t>(page));
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, MaxSimSigns, ::testing::ValuesIn(dense_kernels()),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace fineprint::score
