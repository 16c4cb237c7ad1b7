// The fit of two Gaussians against values computed in Python, and its degenerate inputs.
#include "fineprint/score/mixture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

namespace fineprint::score {
namespace {

// The fixture's arrays are F64; read here without the module that reads such files, which score
// does not link.
std::vector<double> read_doubles(const std::string& file, const Json& header,
                                 const std::string& name) {
  const std::size_t header_bytes = *reinterpret_cast<const std::uint64_t*>(file.data());
  const auto begin = header[name]["data_offsets"][0].get<std::size_t>();
  const auto end = header[name]["data_offsets"][1].get<std::size_t>();
  std::vector<double> values((end - begin) / sizeof(double));
  std::memcpy(values.data(), file.data() + 8 + header_bytes + begin, end - begin);
  return values;
}

// Means at the ends, population variance: the start that the fixture states.
TwoGaussians fixture_start(const std::vector<double>& x) {
  const auto count = static_cast<double>(x.size());
  double mean = 0;
  double variance = 0;
  for (const double value : x) mean += value / count;
  for (const double value : x) variance += (value - mean) * (value - mean) / count;
  const auto [low, high] = std::ranges::minmax(x);
  return {{0.5, 0.5}, {low, high}, {variance + 1e-6, variance + 1e-6}};
}

TEST(Mixture, EqualsTheFixture) {
  const std::string folder = FINEPRINT_TEST_DATA "/method_gmm/";
  const Json golden = parse_json(read_file(folder + "case.json"), "case");
  const std::string file = read_file(folder + "expected.safetensors");
  const std::size_t header_bytes = *reinterpret_cast<const std::uint64_t*>(file.data());
  const Json header = parse_json(std::string_view(file).substr(8, header_bytes), "header");
  ASSERT_EQ(golden["rows"].size(), 6u);
  for (const Json& row : golden["rows"]) {
    const auto name = row["list"].get<std::string>();
    SCOPED_TRACE(name);
    const std::vector<double> x = read_doubles(file, header, name + ".scores");
    const MixtureFit fit = fit_two_gaussians(x, fixture_start(x), {1e-6, 1e-13, 5000});
    EXPECT_FALSE(fit.degenerate);
    EXPECT_EQ(fit.iterations, row["iterations"].get<int>());
    EXPECT_NEAR(fit.mean_log_likelihood, row["mean_log_likelihood"].get<double>(), 1e-9);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(fit.model.mean[c], row["means"][c].get<double>(), 1e-9);
      EXPECT_NEAR(fit.model.variance[c], row["variances"][c].get<double>(), 1e-9);
      EXPECT_NEAR(fit.model.weight[c], row["weights"][c].get<double>(), 1e-9);
    }
    const std::vector<double> posterior = read_doubles(file, header, name + ".posterior_high");
    int high = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(posterior_high(fit.model, x[i]), posterior[i], 1e-9);
      high += posterior_high(fit.model, x[i]) >= 0.5 ? 1 : 0;
    }
    EXPECT_EQ(high, row["count_in_high_component"].get<int>());
  }
}

TEST(Mixture, ComponentsAreOrderedByMean) {
  const std::vector<double> x{0, 0.1, 0.2, 5, 5.1};
  const MixtureFit up = fit_two_gaussians(x, {{0.5, 0.5}, {0, 5}, {1, 1}});
  const MixtureFit down = fit_two_gaussians(x, {{0.5, 0.5}, {5, 0}, {1, 1}});
  EXPECT_LT(up.model.mean[0], up.model.mean[1]);
  EXPECT_DOUBLE_EQ(up.model.mean[1], down.model.mean[1]);
  EXPECT_NEAR(up.model.weight[1], 0.4, 1e-9);
  EXPECT_GT(posterior_high(up.model, 5), 0.99);
  EXPECT_LT(posterior_high(up.model, 0), 0.01);
}

TEST(Mixture, IterationsAreLimited) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6, 9};
  const MixtureFit fit = fit_two_gaussians(x, fixture_start(x), {1e-6, 0, 7});
  EXPECT_EQ(fit.iterations, 7);
}

TEST(Mixture, DegenerateInputsAreReported) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(fit_two_gaussians({}, {}).degenerate);
  const std::vector<double> broken{1, nan, 2};
  EXPECT_TRUE(fit_two_gaussians(broken, {}).degenerate);
  // A component that starts far from everything ends without any weight.
  const std::vector<double> x{0, 0.1, 0.2, 0.3};
  EXPECT_TRUE(fit_two_gaussians(x, {{0.5, 0.5}, {0, 1e6}, {1, 1}}).degenerate);
}

}  // namespace
}  // namespace fineprint::score
