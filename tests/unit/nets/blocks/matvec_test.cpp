// Tests of the product of a matrix and one vector, at sizes that do not fit its blocks.
#include "nets/matvec.h"

#include <vector>

#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

float value(std::int64_t i) { return static_cast<float>((i * 7919 + 13) % 201 - 100) / 100.0F; }

TEST(Matvec, EqualsTheSumsWrittenOut) {
  for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 64, 1025}) {
    for (const std::int64_t columns : {1, 15, 16, 17, 40, 128, 333}) {
      std::vector<float> weight, x, bias, y(static_cast<std::size_t>(rows), -1.0F);
      for (std::int64_t i = 0; i < rows * columns; ++i) weight.push_back(value(i));
      for (std::int64_t c = 0; c < columns; ++c) x.push_back(value(c + 5));
      for (std::int64_t r = 0; r < rows; ++r) bias.push_back(value(r + 11));
      for (const bool biased : {false, true}) {
        matvec(weight.data(), x.data(), biased ? bias.data() : nullptr, rows, columns, y.data());
        for (std::int64_t r = 0; r < rows; ++r) {
          double sum = biased ? bias[r] : 0.0;
          for (std::int64_t c = 0; c < columns; ++c) sum += double{weight[r * columns + c]} * x[c];
          ASSERT_NEAR(y[r], sum, 1e-4) << rows << " x " << columns << ", row " << r;
        }
      }
    }
  }
}

TEST(Matvec, NoRowsIsNothing) { matvec(nullptr, nullptr, nullptr, 0, 5, nullptr); }

}  // namespace
}  // namespace fineprint::nets
