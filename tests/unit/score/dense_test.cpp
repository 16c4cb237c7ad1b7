// All kernels of this machine against sums in double precision.
#include "fineprint/score/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::score {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr VectorType kTypes[] = {VectorType::f32, VectorType::f16, VectorType::bf16,
                                 VectorType::i8};

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

struct Product {
  double value = 0;
  double size = 0;  // of the magnitudes
};

Product exact_product(const float* query, const VectorRows& rows, std::size_t r) {
  std::vector<float> row(rows.dim);
  decode_row(rows, r, row.data());
  Product product;
  for (std::size_t i = 0; i < rows.dim; ++i) {
    const double term = double{query[i]} * row[i];
    product.value += term;
    product.size += std::abs(term);
  }
  return product;
}

class DenseTest : public testing::Test {
 protected:
  ~DenseTest() override { use_kernel(""); }
};

TEST_F(DenseTest, EveryKernelAgreesWithDoublePrecision) {
  constexpr std::size_t kCount = 19;
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const std::size_t dim : {0, 1, 7, 8, 15, 16, 17, 31, 33, 65, 127, 128, 384, 3072, 3073}) {
      const std::vector<float> query = random_values(dim, 1);
      for (const VectorType type : kTypes) {
        // Exactly as long as it is, so that the sanitizer sees a read past the end.
        const EncodedRows rows = encode_rows(random_values(kCount * dim, 2), kCount, dim, type);
        std::vector<float> scores(kCount, -1);
        dot_rows(query.data(), rows.view(), scores.data());
        for (std::size_t r = 0; r < kCount; ++r) {
          const Product exact = exact_product(query.data(), rows.view(), r);
          EXPECT_NEAR(scores[r], exact.value, 1e-6 * exact.size + 1e-12)
              << kernel << ", dim " << dim << ", " << vector_type_name(type);
        }
      }
    }
  }
}

TEST_F(DenseTest, ARowScoresTheSameInAnyCompany) {
  constexpr std::size_t kCount = 21;
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const VectorType type : kTypes) {
      const std::vector<float> query = random_values(131, 3);
      const EncodedRows rows = encode_rows(random_values(kCount * 131, 4), kCount, 131, type);
      std::vector<float> together(kCount);
      dot_rows(query.data(), rows.view(), together.data());
      for (std::size_t r = 0; r < kCount; ++r) {
        float alone = 0;
        dot_rows(query.data(), rows.view().slice(r, 1), &alone);
        EXPECT_EQ(alone, together[r]) << kernel;
      }
    }
  }
}

TEST_F(DenseTest, UnalignedRowsAreFine) {
  const std::vector<float> values = random_values(200, 3);
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    float score = 0;
    float expected = 0;
    dot_rows(values.data() + 1, {VectorType::f32, values.data() + 101, nullptr, 1, 33}, &score);
    for (std::size_t i = 0; i < 33; ++i) expected += values[1 + i] * values[101 + i];
    EXPECT_NEAR(score, expected, 1e-4) << kernel;
  }
}

TEST_F(DenseTest, NanHugeAndDenormalRows) {
  constexpr std::size_t kDim = 40;
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const VectorType type : kTypes) {
      std::vector<float> values = random_values(5 * kDim, 5);
      for (std::size_t i = 0; i < kDim; ++i) {
        values[kDim + i] = 0;
        values[2 * kDim + i] *= 1e-41F;
        values[3 * kDim + i] *= type == VectorType::f16 ? 1e4F : 1e30F;
      }
      values[4 * kDim + 33] = kNan;
      std::vector<float> query = random_values(kDim, 6);
      const EncodedRows rows = encode_rows(values, 5, kDim, type);
      std::vector<float> scores(5);
      dot_rows(query.data(), rows.view(), scores.data());
      for (std::size_t r = 0; r < 4; ++r) {
        const Product exact = exact_product(query.data(), rows.view(), r);
        EXPECT_NEAR(scores[r], exact.value, 1e-6 * exact.size + 1e-43) << kernel << r;
      }
      EXPECT_TRUE(std::isnan(scores[4])) << kernel;
      query[0] = kNan;
      dot_rows(query.data(), rows.view(), scores.data());
      for (const float score : scores) EXPECT_TRUE(std::isnan(score)) << kernel;
    }
  }
}

void expect_many(const std::string& kernel, std::size_t queries, std::size_t count, std::size_t dim,
                 VectorType type) {
  const std::vector<float> query = random_values(queries * dim, 7);
  const EncodedRows rows = encode_rows(random_values(count * dim, 8), count, dim, type);
  std::vector<float> scores(queries * count, -1);
  dot_rows_many(query.data(), queries, rows.view(), scores.data());
  for (std::size_t q = 0; q < queries; ++q) {
    for (std::size_t r = 0; r < count; ++r) {
      const Product exact = exact_product(query.data() + q * dim, rows.view(), r);
      ASSERT_NEAR(scores[q * count + r], exact.value, 4e-6 * exact.size + 1e-12)
          << kernel << ", " << queries << " queries, " << count << " rows of " << dim << ", "
          << vector_type_name(type);
    }
  }
}

TEST_F(DenseTest, ManyQueriesAgreeWithDoublePrecision) {
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const std::size_t queries : {0, 1, 5, 6, 8, 9, 15, 16, 17, 32, 33, 50}) {
      for (const std::size_t count : {0, 1, 5, 6, 12, 13, 25}) {
        expect_many(kernel, queries, count, 33, VectorType::f32);
      }
    }
    for (const std::size_t dim : {0, 1, 7, 127, 128, 129, 148, 500, 513, 3072, 3073}) {
      // Three blocks or more, the last one not full, each decoded beside the products before.
      for (const VectorType type : kTypes) expect_many(kernel, 20, 26, dim, type);
    }
  }
}

TEST_F(DenseTest, ANanConcernsItsOwnRowAndQueryOnly) {
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const VectorType type : kTypes) {
      std::vector<float> queries = random_values(20 * 30, 9);
      std::vector<float> values = random_values(15 * 30, 10);
      queries[3 * 30 + 29] = kNan;
      values[13 * 30 + 2] = kNan;
      const EncodedRows rows = encode_rows(values, 15, 30, type);
      std::vector<float> scores(20 * 15);
      dot_rows_many(queries.data(), 20, rows.view(), scores.data());
      for (std::size_t q = 0; q < 20; ++q) {
        for (std::size_t r = 0; r < 15; ++r) {
          EXPECT_EQ(std::isnan(scores[q * 15 + r]), q == 3 || r == 13) << kernel;
        }
      }
    }
  }
}

TEST_F(DenseTest, CodeErrorsBoundTheDistance) {
  const std::vector<float> values = random_values(50 * 300, 16);
  const VectorRows exact{VectorType::f32, values.data(), nullptr, 50, 300};
  const EncodedRows codes = encode_rows(values, 50, 300, VectorType::i8);
  const std::vector<float> errors = code_errors(codes.view(), exact);
  for (std::size_t r = 0; r < 50; ++r) {
    long double squares = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      const long double away =
          values[r * 300 + i] - static_cast<long double>(codes.scales[r]) *
                                    static_cast<std::int8_t>(codes.values[r * 300 + i]);
      squares += away * away;
    }
    EXPECT_GE(errors[r], std::sqrt(squares));
    EXPECT_NEAR(errors[r], static_cast<double>(std::sqrt(squares)), 1e-6);
  }
}

TEST_F(DenseTest, TheBestKernelIsTheOneInUse) {
  EXPECT_EQ(dense_kernel(), dense_kernels().front());
  EXPECT_EQ(dense_kernels().back(), "portable");
  use_kernel("portable");
  EXPECT_EQ(dense_kernel(), "portable");
  use_kernel("");
  EXPECT_EQ(dense_kernel(), dense_kernels().front());
  EXPECT_THROW(use_kernel("mmx"), Error);
}

}  // namespace
}  // namespace fineprint::score
