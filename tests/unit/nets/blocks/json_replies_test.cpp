// Tests that replies under a schema fit it, whatever the model: every schema of the agents with
// every family that writes. benchmark_generation --what json does the same with many seeds.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "nets/generation/generator.h"

namespace fineprint::nets {
namespace {

class JsonReplies : public ::testing::TestWithParam<const char*> {
 protected:
  JsonReplies()
      : generator_(
            models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + GetParam() + "/model"),
            Device{}) {}

  models::Reply reply(const grammar::JsonSchema& schema, int seed, int limit, double temperature) {
    models::SamplingOptions options;
    options.max_new_tokens = limit;
    options.temperature = temperature;
    options.seed = static_cast<std::uint64_t>(seed);
    return generator_.generate_json({{{models::Role::user, "Reply.", {}}}, {}}, schema, options);
  }

  NativeGenerator generator_;
};

TEST_P(JsonReplies, FitEverySchema) {
  const std::string file = std::string(FINEPRINT_TEST_DATA) + "/schemas.json";
  const Json schemas = parse_json(read_file(file), file);
  ASSERT_GE(schemas.size(), 20U);
  for (const auto& [name, written] : schemas.items()) {
    const grammar::JsonSchema schema = grammar::JsonSchema::parse(dump_json(written));
    for (int seed = 0; seed < 4; ++seed) {
      const models::Reply made = reply(schema, seed, 128 + 40 * seed, seed == 0 ? 0 : 1);
      EXPECT_EQ(schema.problem(made.text), std::nullopt) << name << ": " << made.text;
      EXPECT_EQ(static_cast<std::size_t>(made.output_tokens), made.tokens.size());
    }
  }
}

TEST_P(JsonReplies, RefusesALimitThatIsTooLow) {
  const grammar::JsonSchema schema = grammar::JsonSchema::parse(
      R"({"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"],)"
      R"("additionalProperties":false})");
  try {
    reply(schema, 1, 2, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, JsonReplies,
                         ::testing::Values("qwen25vl_a", "qwen25vl_b_tied_v5layout", "qwen2vl_gen",
                                           "phi3v_a", "paligemma_gen", "qwen3_a"));

}  // namespace
}  // namespace fineprint::nets
