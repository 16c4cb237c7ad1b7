// The GPU's scores against the CPU's. Skipped without a GPU.
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/score/dense.h"
#include "fineprint/session/score_library.h"

namespace fineprint::score {
namespace {

constexpr VectorType kTypes[] = {VectorType::f32, VectorType::f16, VectorType::bf16,
                                 VectorType::i8};

class ScoreCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (session::cuda_scoring() == nullptr) GTEST_SKIP() << "no GPU, or no library for it";
  }
};

using Uploaded = std::unique_ptr<DeviceRows, void (*)(DeviceRows*)>;

Uploaded upload(const VectorBags& pages) {
  const CudaTable& table = *session::cuda_scoring();
  return {table.upload(0, pages), table.release};
}

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random) / 8;
  return values;
}

// NaN and infinity must be the same; numbers near.
void expect_same(const std::vector<float>& got, const std::vector<float>& expected,
                 double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string where = what + ", score " + std::to_string(i);
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << where << ": " << got[i];
    } else if (std::isinf(expected[i])) {
      EXPECT_EQ(got[i], expected[i]) << where;
    } else {
      EXPECT_NEAR(got[i], expected[i], tolerance) << where;
    }
  }
}

// Pages of 0 to 200 rows; zeros and NaN among them.
struct Pages {
  std::vector<std::uint32_t> first{0};
  EncodedRows encoded;

  Pages(std::size_t dim, VectorType type) {
    for (const std::uint32_t rows : {0U, 1U, 63U, 64U, 65U, 0U, 200U, 7U, 3U}) {
      first.push_back(first.back() + rows);
    }
    std::vector<float> values = random_values(first.back() * dim, 1);
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(2 * dim), dim, 0.0F);
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(3 * dim), dim, 0.25F);
    values.back() = std::numeric_limits<float>::quiet_NaN();
    encoded = encode_rows(values, first.back(), dim, type);
  }
  VectorBags bags() const { return {encoded.view(), first}; }
};

std::string described(VectorType type, std::size_t dim) {
  return std::string(vector_type_name(type)) + ", dim " + std::to_string(dim);
}

TEST_F(ScoreCuda, DotProducts) {
  for (const VectorType type : kTypes) {
    for (const std::size_t dim : {1, 31, 128, 384, 3072}) {
      const Pages pages(dim, type);
      const Uploaded rows = upload(pages.bags());
      const std::vector<float> query = random_values(dim, 2);
      std::vector<float> got(pages.encoded.count), expected(pages.encoded.count);
      session::cuda_scoring()->dot_rows(*rows, query.data(), got.data());
      dot_rows(query.data(), pages.encoded.view(), expected.data());
      expect_same(got, expected, 1e-5 * std::sqrt(static_cast<double>(dim)), described(type, dim));
    }
  }
}

TEST_F(ScoreCuda, MaxSim) {
  for (const VectorType type : kTypes) {
    for (const std::size_t dim : {1, 31, 96, 128, 320}) {
      const Pages pages(dim, type);
      const Uploaded rows = upload(pages.bags());
      for (const std::size_t vectors : {0, 1, 20, 32, 33, 70}) {
        const Matrix query{vectors, dim, random_values(vectors * dim, 3)};
        std::vector<float> got(pages.bags().pages()), expected(pages.bags().pages());
        session::cuda_scoring()->max_sim(*rows, query, got.data());
        max_sim(query, pages.bags(), expected.data());
        expect_same(got, expected, 1e-4, described(type, dim) + ", " + std::to_string(vectors));
      }
    }
  }
}

TEST_F(ScoreCuda, HybridMaskInEveryMode) {
  for (const VectorType type : kTypes) {
    for (const std::size_t dim : {64, 1000, 3072}) {
      const Pages pages(dim, type);
      const Uploaded rows = upload(pages.bags());
      const std::vector<float> query = random_values(dim, 4);
      for (int variant = 0; variant < 6 * 8; ++variant) {
        MaskOptions options;
        options.mode = static_cast<MaskMode>(variant % 6);
        options.absolute = (variant / 6) % 2 == 0;
        options.swapped = (variant / 12) % 2 == 1;
        options.outer_spread = variant / 24 == 0 ? Spread::standard_deviation : Spread::variance;
        std::vector<float> got(pages.encoded.count), expected(pages.encoded.count);
        session::cuda_scoring()->hybrid_mask_rows(*rows, query.data(), options, got.data());
        hybrid_mask_rows(query.data(), pages.encoded.view(), options, expected.data());
        // A dimension at a threshold may fall to either side.
        expect_same(got, expected, 2e-3, described(type, dim) + ", " + std::to_string(variant));
      }
    }
  }
}

TEST_F(ScoreCuda, QueriesOfZerosAndNan) {
  const Pages pages(128, VectorType::f16);
  const Uploaded rows = upload(pages.bags());
  for (const float value : {0.0F, std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> query(128, value);
    std::vector<float> got(pages.encoded.count), expected(pages.encoded.count);
    session::cuda_scoring()->hybrid_mask_rows(*rows, query.data(), {}, got.data());
    hybrid_mask_rows(query.data(), pages.encoded.view(), {}, expected.data());
    expect_same(got, expected, 0, "hybrid mask");
  }
}

}  // namespace
}  // namespace fineprint::score
