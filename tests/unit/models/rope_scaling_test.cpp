// Scaled rotary positions against those of the reference, and false values that are refused.
#include "models/rope_scaling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "support/has.h"
#include "support/model_folder.h"

namespace fineprint::models {
namespace {

using testing::has;
using testing::model_error;

constexpr int kWidth = 32;

TEST(RopeScaling, EveryTypeEqualsTheReference) {
  const std::string path = std::string(FINEPRINT_TEST_GOLDEN) + "/rope_scaling.json";
  const Json cases = parse_json(read_file(path), path);
  EXPECT_EQ(cases.size(), 14U);
  for (const Json& golden : cases) {
    const std::string name = golden.at("name");
    const Rope rope = read_scaled_rope(JsonFacts("config.json", golden.at("config")), kWidth);
    EXPECT_NEAR(rope.magnitude, golden.at("magnitude").get<double>(), 1e-12) << name;
    for (const auto& [length, factors] :
         {std::pair{"short", &rope.short_factors}, {"long", &rope.long_factors}}) {
      const Json& frequencies = golden.at("frequencies").at(length);
      ASSERT_EQ(frequencies.size(), kWidth / 2U) << name;
      for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double plain = std::pow(rope.theta, -2.0 * static_cast<double>(i) / kWidth);
        const double ours = plain / (factors->empty() ? 1 : (*factors)[i]);
        const auto wanted = frequencies[i].get<double>();
        // The reference computes in float32.
        EXPECT_NEAR(ours, wanted, 4e-7 * wanted) << name << ", " << length << ", pair " << i;
      }
    }
  }
}

TEST(RopeScaling, FalseValuesAreNamed) {
  const auto error_of = [](const Json& scaling) {
    const Json config{
        {"rope_theta", 1e4}, {"max_position_embeddings", 512}, {"rope_scaling", scaling}};
    return model_error([&] { read_scaled_rope(JsonFacts("config.json", config), kWidth); });
  };
  const std::pair<Json, const char*> damages[] = {
      {{{"rope_type", "ntk"}}, "rope_type\" is \"ntk\""},
      {{{"type", 7}}, "type"},
      {{{"rope_type", "yarn"}, {"factor", 0}}, "factor"},
      {{{"rope_type", "yarn"}, {"factor", 4}, {"beta_fast", 0}}, "beta_fast"},
      {{{"rope_type", "yarn"}, {"factor", 4}, {"beta_slow", "slow"}}, "beta_slow"},
      {{{"rope_type", "yarn"}, {"factor", 4}, {"truncate", 2}}, "truncate"},
      {{{"rope_type", "yarn"}, {"factor", 4}, {"attention_factor", 0}}, "attention_factor"},
      {{{"rope_type", "yarn"}, {"factor", 4}, {"original_max_position_embeddings", 0}},
       "original_max_position_embeddings"},
      {{{"rope_type", "longrope"}, {"short_factor", {1, 2}}}, "short_factor"},
      {{{"rope_type", "llama3"}, {"factor", 8}}, "low_freq_factor"},
      {{{"rope_type", "linear"}}, "factor"},
  };
  for (const auto& [scaling, told] : damages) {
    const std::string error = error_of(scaling);
    EXPECT_TRUE(has(error, "config.json") && has(error, told))
        << dump_json(scaling) << ": " << error;
  }
  // Logarithms of this base are no numbers.
  const Json flat{{"rope_theta", 1},
                  {"max_position_embeddings", 512},
                  {"rope_scaling", {{"rope_type", "yarn"}, {"factor", 4}}}};
  EXPECT_TRUE(has(model_error([&] { read_scaled_rope(JsonFacts("config.json", flat), kWidth); }),
                  "rope_theta"));
}

}  // namespace
}  // namespace fineprint::models
