// Tests of counting a generator's parameters by its configuration.
#include "fineprint/session/generator_size.h"

#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"

namespace fineprint::session {
namespace {

const std::string kData = FINEPRINT_TEST_DATA;

TEST(GeneratorSize, IsThatOfTheWeights) {
  for (const char* name : {"/llama_gguf", "/gemma2_a/model"}) {
    const models::Checkpoint weights(models::read_model(models::find_model(kData + name)));
    EXPECT_EQ(generator_parameters(kData + name, {}), weights.parameters()) << name;
    EXPECT_TRUE(is_small_generator(kData + name, {})) << name;
  }
}

TEST(GeneratorSize, IsUnknownElsewhere) {
  for (const char* spec : {"http://localhost:1#tiny", "openai:http://localhost:1/v1#tiny"}) {
    EXPECT_EQ(generator_parameters(spec, {}), std::nullopt) << spec;
    EXPECT_FALSE(is_small_generator(spec, {})) << spec;
  }
  EXPECT_EQ(generator_parameters("no/such-model", {}), std::nullopt);
  EXPECT_FALSE(is_small_generator("no/such-model", {}));
  // A script has no size; it is small so that it replies to the simplest pipeline.
  EXPECT_EQ(generator_parameters("script:replies.jsonl", {}), std::nullopt);
  EXPECT_TRUE(is_small_generator("script:replies.jsonl", {}));
}

}  // namespace
}  // namespace fineprint::session
