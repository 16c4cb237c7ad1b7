// The hybrid mask: float64 against goldens and the printed shares, every kernel against float64.
#include "fineprint/score/hybrid_mask.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/score/dense.h"
#include "fineprint/tensorfile/safetensors.h"

#include "score/kernels.h"

namespace fineprint::score {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr double kTolerance = 2e-6;  // of a score in float32

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

// ---- float64 ----

template <typename T>
std::vector<T> tensor(const tensorfile::SafetensorsReader& file, const std::string& name) {
  const tensorfile::TensorView& view = file.at(name);
  std::vector<T> values(view.bytes.size() / sizeof(T));
  std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return values;
}

Spread spread_named(const std::string& name) {
  if (name == "std") return Spread::standard_deviation;
  return name == "variance" ? Spread::variance : Spread::unbiased_standard_deviation;
}

// The mask on even or odd dimensions alone, 0 on the others.
std::vector<double> partial_mask(const MaskedPair& pair, std::size_t parity) {
  std::vector<double> mask(pair.dense.size(), 0.0);
  for (std::size_t i = parity; i < mask.size(); i += 2) {
    mask[i] = (pair.dense[i] + pair.sparse[i]) / 2.0;
  }
  return mask;
}

void expect_near_all(const std::vector<double>& values, const std::vector<double>& expected,
                     double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], tolerance);
}

TEST(HybridMask, EqualsTheGoldenCase) {
  const std::string folder = FINEPRINT_TEST_DATA "/method_hkrag/";
  const Json golden = parse_json(read_file(folder + "case.json"), "case");
  const tensorfile::SafetensorsReader file(folder + "expected.safetensors");
  const std::vector<double> queries = tensor<double>(file, "query");
  const std::vector<double> pages = tensor<double>(file, "doc");
  const double near_squashed = golden["tolerances"]["Cn"];
  const double near_cosine = golden["tolerances"]["cos"];
  ASSERT_EQ(golden["rows"].size(), 36u);
  for (const Json& row : golden["rows"]) {
    const std::string alpha = row["alpha"].dump();
    const std::string spread = row["spread"];
    const std::string pair_name = "pair" + row["pair"].dump();
    const std::string mask_name = pair_name + ".alpha" + alpha + "." + spread;
    SCOPED_TRACE(mask_name);
    MaskOptions options;
    options.alpha = row["alpha"];
    options.epsilon = golden["epsilon"];
    options.inner_spread = options.outer_spread = spread_named(spread);
    const std::size_t at = row["pair"].get<std::size_t>() * 3072;
    const std::span<const double> query = std::span(queries).subspan(at, 3072);
    const std::span<const double> page = std::span(pages).subspan(at, 3072);
    const MaskedPair pair = masked_pair(query, page, options);
    expect_near_all(pair.agreement, tensor<double>(file, pair_name + ".C"), 1e-15);
    expect_near_all(pair.squashed, tensor<double>(file, pair_name + ".Cn." + spread),
                    near_squashed);
    EXPECT_EQ(pair.dense, tensor<std::uint8_t>(file, mask_name + ".dense"));
    EXPECT_EQ(pair.sparse, tensor<std::uint8_t>(file, mask_name + ".sparse"));
    EXPECT_NEAR(pair.cosine, row["cos"], near_cosine);
    EXPECT_NEAR(pair.hybrid, row["cos_hybrid"], near_cosine);
    EXPECT_NEAR(pair.dense_cosine, row["cos_dense"], near_cosine);
    EXPECT_NEAR(pair.sparse_cosine, row["cos_sparse"], near_cosine);
    EXPECT_NEAR(masked_cosine(query, page, partial_mask(pair, 0)), row["cos_hybrid_even_dims"],
                near_cosine);
    EXPECT_NEAR(masked_cosine(query, page, partial_mask(pair, 1)), row["cos_hybrid_odd_dims"],
                near_cosine);
  }
}

struct Shares {
  double alpha, at_none, at_half, at_one;
};

TEST(HybridMask, SharesAreThoseOfRandomVectors) {
  const std::vector<double> query = widened(random_values(3072, 1));
  const std::vector<double> page = widened(random_values(3072, 2));
  for (const Shares& expected : {Shares{0.25, 0.55, 0.15, 0.30}, Shares{0.5, 0.44, 0.31, 0.25},
                                 Shares{1.0, 0.00, 0.83, 0.17}}) {
    MaskOptions options;
    options.alpha = expected.alpha;
    const MaskedPair pair = masked_pair(query, page, options);
    EXPECT_NEAR(pair.salient_share, expected.at_one, 0.03);
    EXPECT_NEAR(pair.fine_print_share, expected.at_half, 0.03);
    EXPECT_NEAR(1 - pair.salient_share - pair.fine_print_share, expected.at_none, 0.03);
  }
  MaskOptions variance;
  variance.alpha = 1;
  variance.outer_spread = Spread::variance;
  const MaskedPair pair = masked_pair(query, page, variance);
  EXPECT_NEAR(pair.salient_share, 0.32, 0.03);
  EXPECT_NEAR(pair.fine_print_share, 0.10, 0.03);
}

// A page whose cosine with the query is about `cosine`.
std::vector<double> page_at(const std::vector<double>& query, double cosine, unsigned seed) {
  std::vector<double> page = widened(random_values(query.size(), seed));
  for (std::size_t i = 0; i < page.size(); ++i) {
    page[i] = cosine * query[i] + std::sqrt(1 - cosine * cosine) * page[i];
  }
  return page;
}

TEST(HybridMask, MaskedCosineIsThatOfTheTable) {
  const std::vector<double> query = widened(random_values(3072, 3));
  for (const auto& [cosine, expected] :
       {std::pair{0.0, 0.0}, std::pair{0.3, 0.36}, std::pair{0.6, 0.67}}) {
    double mean = 0;
    for (unsigned seed = 10; seed < 20; ++seed) {
      mean += masked_pair(query, page_at(query, cosine, seed), {}).hybrid / 10;
    }
    EXPECT_NEAR(mean, expected, 0.03);
  }
}

TEST(HybridMask, ThePartsAddUpToTheCosine) {
  const std::vector<double> query = widened(random_values(500, 4));
  const MaskedPair pair = masked_pair(query, page_at(query, 0.4, 5), {});
  EXPECT_NEAR(pair.salient + pair.fine_print + pair.dropped, pair.cosine, 1e-12);
  EXPECT_EQ(pair.score, pair.hybrid);
}

TEST(HybridMask, ModesOfAPair) {
  const std::vector<double> query = widened(random_values(500, 6));
  const std::vector<double> page = page_at(query, 0.4, 7);
  MaskOptions options;
  options.blend_weight = 0.25;
  options.salient_weight = 2;
  options.fine_print_weight = 3;
  const auto score = [&](MaskMode mode) {
    options.mode = mode;
    return masked_pair(query, page, options);
  };
  const MaskedPair pair = score(MaskMode::cosine);
  EXPECT_EQ(pair.score, pair.cosine);
  EXPECT_EQ(score(MaskMode::dense).score, pair.dense_cosine);
  EXPECT_EQ(score(MaskMode::sparse).score, pair.sparse_cosine);
  EXPECT_NEAR(score(MaskMode::blend).score, 0.75 * pair.cosine + 0.25 * pair.hybrid, 1e-15);
  EXPECT_NEAR(score(MaskMode::split).score, 2 * pair.salient + 3 * pair.fine_print, 1e-15);
}

TEST(HybridMask, PairsWithoutDirection) {
  const std::vector<double> some = {1, -2, 3};
  const std::vector<double> zeros = {0, 0, 0};
  const std::vector<double> nan = {1, kNan, 0};
  EXPECT_EQ(masked_pair(some, zeros, {}).score, 0);
  EXPECT_EQ(masked_pair(zeros, some, {}).score, 0);
  EXPECT_TRUE(std::isnan(masked_pair(some, nan, {}).score));
  EXPECT_TRUE(std::isnan(masked_pair(nan, zeros, {}).hybrid));
  EXPECT_EQ(masked_pair({}, {}, {}).score, 0);
  EXPECT_THROW(masked_pair(some, std::span(some).first(2), {}), Error);
  EXPECT_EQ(masked_cosine(some, some, zeros), 0);
  EXPECT_NEAR(masked_cosine(some, some, std::vector<double>{0, 1, 0}), 2 / std::sqrt(14.0), 1e-15);
}

// ---- the kernels ----

// By how much a score may differ because float32 puts values on the other side of a threshold: for
// each value that lies within float32's reach of one, what its mask moving a step changes.
double reach_of_rounding(const MaskedPair& pair, const std::vector<double>& query,
                         const std::vector<double>& page, const MaskOptions& options) {
  const auto count = static_cast<double>(query.size());
  double mean = 0, squares = 0, squashed_mean = 0, squashed_squares = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    mean += pair.agreement[i] / count;
    squashed_mean += pair.squashed[i] / count;
  }
  for (std::size_t i = 0; i < query.size(); ++i) {
    squares += std::pow(pair.agreement[i] - mean, 2) / count;
    squashed_squares += std::pow(pair.squashed[i] - squashed_mean, 2) / count;
  }
  const bool inner_variance = options.inner_spread == Spread::variance;
  const double inner = (inner_variance ? squares : std::sqrt(squares)) + options.epsilon;
  const bool outer_variance = options.outer_spread == Spread::variance;
  const double away =
      options.alpha * (outer_variance ? squashed_squares : std::sqrt(squashed_squares));
  double kept = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    kept += std::pow(page[i] * (pair.dense[i] + pair.sparse[i]), 2);
  }
  double query_squares = 0;
  for (const double value : query) query_squares += value * value;
  double reach = 0;
  for (const double theta : {squashed_mean - away, squashed_mean + away}) {
    if (theta <= 0 || theta >= 1) continue;
    const double threshold = mean + inner * std::log(theta / (1 - theta));
    const double shift = inner * 3e-7 / (theta * (1 - theta));
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double c = pair.agreement[i];
      if (std::abs(c - threshold) > shift + 4e-7 * std::abs(c)) continue;
      reach += 2 * std::abs(query[i] * page[i]) / std::sqrt(query_squares * kept) +
               4 * page[i] * page[i] / kept;
    }
  }
  return reach;
}

struct Compared {
  std::size_t rows = 0;
  std::size_t doubtful = 0;  // rows with a value within reach of a threshold
};

// hybrid_mask_rows with the kernel in use against masked_pair of the decoded rows.
void compare(const std::vector<float>& query, const VectorRows& rows, const MaskOptions& options,
             Compared& compared) {
  std::vector<float> scores(rows.count, -7);
  hybrid_mask_rows(query.data(), rows, options, scores.data());
  std::vector<float> row(rows.dim);
  for (std::size_t r = 0; r < rows.count; ++r) {
    decode_row(rows, r, row.data());
    const std::vector<double> q = widened(query);
    const std::vector<double> d = widened(row);
    const MaskedPair pair = masked_pair(q, d, options);
    if (std::isnan(pair.score)) {
      EXPECT_TRUE(std::isnan(scores[r])) << "row " << r;
      continue;
    }
    const double reach = reach_of_rounding(pair, q, d, options);
    ++compared.rows;
    compared.doubtful += reach > 0 ? 1 : 0;
    EXPECT_NEAR(scores[r], pair.score, kTolerance + (std::isfinite(reach) ? reach : 0))
        << "row " << r;
  }
}

class HybridMaskRows : public testing::Test {
 protected:
  ~HybridMaskRows() override { use_kernel(""); }
  Compared compared_;
};

std::string described(const std::string& kernel, const MaskOptions& options) {
  return kernel + ", mode " + std::to_string(static_cast<int>(options.mode)) + ", alpha " +
         std::to_string(options.alpha) + ", spreads " +
         std::to_string(static_cast<int>(options.inner_spread)) +
         std::to_string(static_cast<int>(options.outer_spread)) + ", absolute " +
         std::to_string(options.absolute) + ", swapped " + std::to_string(options.swapped);
}

TEST_F(HybridMaskRows, EveryModeAndReading) {
  constexpr std::size_t kDim = 1031;
  const std::vector<float> query = random_values(kDim, 20);
  const std::vector<float> values = random_values(2 * kDim, 21);
  const VectorRows rows{VectorType::f32, values.data(), nullptr, 2, kDim};
  MaskOptions options;
  options.blend_weight = 0.3;
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (int bits = 0; bits < 6 * 3 * 3 * 4; ++bits) {
      options.mode = static_cast<MaskMode>(bits % 6);
      options.inner_spread = static_cast<Spread>(bits / 6 % 3);
      options.outer_spread = static_cast<Spread>(bits / 18 % 3);
      options.absolute = bits / 54 % 2 == 0;
      options.swapped = bits / 108 % 2 != 0;
      for (const double alpha : {0.0, 0.25, 0.5, 1.0, 2.0, 3.0}) {
        options.alpha = alpha;
        SCOPED_TRACE(described(kernel, options));
        compare(query, rows, options, compared_);
      }
    }
  }
  EXPECT_LT(compared_.doubtful * 10, compared_.rows);
}

TEST_F(HybridMaskRows, EveryTypeAndDimension) {
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const std::size_t dim : {7, 31, 33, 63, 65, 127, 128, 3072, 3073}) {
      const std::size_t count = 40;
      const std::vector<float> query = random_values(dim, 22);
      for (const VectorType type :
           {VectorType::f32, VectorType::f16, VectorType::bf16, VectorType::i8}) {
        const EncodedRows rows = encode_rows(random_values(count * dim, 23), count, dim, type);
        SCOPED_TRACE(kernel + ", dim " + std::to_string(dim) + ", " +
                     std::string(vector_type_name(type)));
        compare(query, rows.view(), {}, compared_);
      }
    }
  }
  EXPECT_LT(compared_.doubtful * 20, compared_.rows);
}

// Rows that single out what float32 sums cannot do.
std::vector<float> odd_rows(std::size_t dim) {
  std::vector<float> values = random_values(14 * dim, 24);
  const auto row = [&](std::size_t r) { return values.data() + r * dim; };
  for (std::size_t i = 0; i < dim; ++i) {
    row(0)[i] = 0;
    row(1)[i] = 0.25F;
    row(2)[i] *= 1e-42F;
    row(3)[i] *= 1e37F;
    row(4)[i] *= 1e-20F;
    row(5)[i] = i == 0 ? 1 : 0;
    row(6)[i] = 1 + 1e-4F * row(6)[i];
    row(7)[i] = i % 2 == 0 ? 1 : -1;
    row(8)[i] *= i == 1 ? 1e20F : 1;
    row(9)[i] = i < dim / 2 ? 0 : row(9)[i];
    row(10)[i] *= 1e14F;
  }
  row(11)[dim - 1] = kNan;
  row(12)[0] = kInfinity;
  row(13)[0] = -kInfinity;
  return values;
}

TEST_F(HybridMaskRows, OddRowsAndQueries) {
  for (const std::size_t dim : {1, 2, 7, 128, 1000}) {
    std::vector<std::vector<float>> queries(6, random_values(dim, 25));
    for (std::size_t i = 0; i < dim; ++i) {
      queries[1][i] = 0;
      queries[2][i] = 0.5F;
      queries[3][i] *= 1e30F;
      queries[4][i] *= 1e-42F;
    }
    queries[5][dim / 2] = kNan;
    const std::vector<float> values = odd_rows(dim);
    for (const std::string& kernel : dense_kernels()) {
      use_kernel(kernel);
      for (const VectorType type :
           {VectorType::f32, VectorType::f16, VectorType::bf16, VectorType::i8}) {
        const EncodedRows rows = encode_rows(values, 14, dim, type);
        for (std::size_t q = 0; q < queries.size(); ++q) {
          for (const MaskMode mode : {MaskMode::hybrid, MaskMode::cosine, MaskMode::split}) {
            SCOPED_TRACE(kernel + ", dim " + std::to_string(dim) + ", query " + std::to_string(q) +
                         ", " + std::string(vector_type_name(type)));
            MaskOptions options;
            options.mode = mode;
            compare(queries[q], rows.view(), options, compared_);
          }
        }
      }
    }
  }
}

// One exponent in every lane: errors that a mean over many would hide show themselves.
TEST_F(HybridMaskRows, SigmaItselfIsExact) {
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    for (const std::size_t dim : {64, 77}) {
      for (float exponent = -60; exponent < 60; exponent += 0.0137F) {
        const std::vector<float> agreement(dim, exponent);
        Squash squash;
        squash.slope = 1;
        squash.hold = true;
        const SquashedSums sums = kernels().mask.best().sum_squashed(agreement.data(), dim, squash);
        const double sigma = 1 / (1 + std::exp2(double{exponent}));
        const auto count = static_cast<double>(dim);
        ASSERT_NEAR(sums.sum / count, sigma, 3e-7) << kernel << " " << exponent;
        ASSERT_NEAR(sums.squares / count, sigma * sigma, 6e-7) << kernel << " " << exponent;
        if (std::abs(exponent) > kLargestExponent) continue;
        squash.hold = false;
        const SquashedSums same = kernels().mask.best().sum_squashed(agreement.data(), dim, squash);
        ASSERT_EQ(same.sum, sums.sum) << kernel << " " << exponent;
      }
    }
  }
}

TEST_F(HybridMaskRows, TheSizeOfQueryAndRowDoesNotMatter) {
  const std::vector<float> query = random_values(3072, 26);
  const std::vector<float> values = random_values(20 * 3072, 27);
  std::vector<float> larger = values;
  for (float& value : larger) value *= 1024;
  for (const std::string& kernel : dense_kernels()) {
    use_kernel(kernel);
    std::vector<float> scores(20);
    std::vector<float> of_larger(20);
    hybrid_mask_rows(query.data(), {VectorType::f32, values.data(), nullptr, 20, 3072}, {},
                     scores.data());
    hybrid_mask_rows(query.data(), {VectorType::f32, larger.data(), nullptr, 20, 3072}, {},
                     of_larger.data());
    for (std::size_t r = 0; r < 20; ++r) EXPECT_NEAR(scores[r], of_larger[r], 1e-6) << kernel;
  }
}

TEST_F(HybridMaskRows, NoRowsAndNoDimensions) {
  const std::vector<float> query = random_values(8, 28);
  hybrid_mask_rows(query.data(), {VectorType::f32, query.data(), nullptr, 0, 8}, {}, nullptr);
  float score = 1;
  hybrid_mask_rows(query.data(), {VectorType::f32, query.data(), nullptr, 1, 0}, {}, &score);
  EXPECT_EQ(score, 0);
}

}  // namespace
}  // namespace fineprint::score
