// All kernels of this machine against sums in double precision.
#include "fineprint/score/dense.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::score {
namespace {

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

TEST(Dense, EveryKernelAgreesWithDoublePrecision) {
  constexpr std::size_t kCount = 5;
  for (const std::string& kernel : dense_kernels()) {
    for (const std::size_t dim :
         {0, 1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 384, 1023}) {
      const std::vector<float> query = random_values(dim, 1);
      // Exactly as long as it is, so that the sanitizer sees a read past the end.
      const std::vector<float> rows = random_values(kCount * dim, 2);
      std::vector<float> scores(kCount, -1);
      dot_rows_with(kernel, query.data(), rows.data(), kCount, dim, scores.data());
      for (std::size_t r = 0; r < kCount; ++r) {
        double exact = 0;
        double size = 0;
        for (std::size_t i = 0; i < dim; ++i) {
          const double product = static_cast<double>(query[i]) * rows[r * dim + i];
          exact += product;
          size += std::abs(product);
        }
        EXPECT_NEAR(scores[r], exact, 1e-6 * size + 1e-12) << kernel << ", dim " << dim;
      }
    }
  }
}

TEST(Dense, UnalignedRowsAreFine) {
  const std::vector<float> values = random_values(200, 3);
  for (const std::string& kernel : dense_kernels()) {
    float score = 0;
    float expected = 0;
    dot_rows_with(kernel, values.data() + 1, values.data() + 101, 1, 33, &score);
    for (std::size_t i = 0; i < 33; ++i) expected += values[1 + i] * values[101 + i];
    EXPECT_NEAR(score, expected, 1e-4) << kernel;
  }
}

TEST(Dense, TheBestKernelIsTheOneInUse) {
  EXPECT_EQ(dense_kernel(), dense_kernels().front());
  EXPECT_EQ(dense_kernels().back(), "portable");
  float score = 0;
  const float one = 1;
  dot_rows(&one, &one, 1, 1, &score);
  EXPECT_EQ(score, 1);
  EXPECT_THROW(dot_rows_with("mmx", &one, &one, 1, 1, &score), Error);
}

}  // namespace
}  // namespace fineprint::score
