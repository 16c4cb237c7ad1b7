// Tests of reading model folders: the reference cases, whole and with their weights.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "support/case_folder.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

std::string model_dir(const std::string& name) {
  return std::string(FINEPRINT_TEST_DATA) + "/" + name + "/model";
}

class ReferenceCase : public ::testing::TestWithParam<const char*> {};

// The Checkpoint constructor throws for any tensor that is missing, surplus or of another shape.
TEST_P(ReferenceCase, IsReadWithNothingMissingOrSurplus) {
  const ModelSpec spec = read_model(model_dir(GetParam()));
  const Checkpoint checkpoint(spec);
  EXPECT_GT(checkpoint.parameters(), 0);
  EXPECT_EQ(checkpoint.bytes(), 4 * checkpoint.parameters());  // all are F32
  EXPECT_EQ(checkpoint.dtype(), "F32");
  EXPECT_NO_THROW(checkpoint.check_finite(2));
  EXPECT_EQ(checkpoint.hash().size(), 32U);
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceCase,
                         ::testing::Values("qwen25vl_a", "qwen25vl_b_tied_v5layout", "phi3v_a",
                                           "colpali_a", "colqwen2_a", "bert_mean_a", "colbert_a",
                                           "bert_cls_a", "xlmr_a", "modernbert_a", "gte_a",
                                           "mpnet_a", "nomic_a", "rerank_bert_a", "rerank_xlmr_a",
                                           "rerank_modernbert_a", "rerank_gte_a",
                                           "late_modernbert_a", "colmodernvbert_a", "vsplade_a",
                                           "smolvlm_a"),
                         [](const auto& one) { return std::string(one.param); });

TEST(ReadModel, ReadsFeaturesOfSeveralDepths) {
  const ModelSpec spec = read_model(model_dir("qwen3vl_a"));
  const auto& tower = std::get<NativeTower>(spec.tower);
  EXPECT_EQ(tower.deep_layers, (std::vector<int>{0, 2}));
  EXPECT_EQ(tower.position_side, 7);
  EXPECT_TRUE(tower.patch_bias);
  EXPECT_FALSE(tower.frames_apart);
  EXPECT_EQ(tower.activation, Activation::gelu_tanh);
  EXPECT_EQ(std::get<MergeConnector>(spec.connector).further_depths, 2);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_TRUE(decoder.qk_norm);
  EXPECT_FALSE(decoder.qkv_bias);
  EXPECT_EQ(decoder.rope.sections, (std::vector<int>{6, 5, 5}));
  EXPECT_TRUE(decoder.rope.interleaved);
  const auto& processor = std::get<preprocess::PatchProcessor>(spec.processor);
  EXPECT_EQ(processor.min_pixels, 1024);
  EXPECT_EQ(processor.max_pixels, 4096);
  EXPECT_EQ(spec.prompt.chat.default_system, "");
  EXPECT_FALSE(spec.head.tied);
  EXPECT_NO_THROW(Checkpoint(spec).check_finite(2));
}

// As llama.cpp's converter writes it: the tower in a file of its own, without which the language
// model is Qwen3's.
TEST(ReadModel, AGgufFileOfQwen3VlSeesWithItsProjector) {
  const std::string dir = std::string(FINEPRINT_TEST_DATA) + "/qwen3vl_gguf";
  const ModelSpec spec = read_model(dir + "/model.gguf");
  EXPECT_EQ(spec.family, "qwen3_vl");
  EXPECT_EQ(spec.projector, dir + "/mmproj-model.gguf");
  const auto& tower = std::get<NativeTower>(spec.tower);
  EXPECT_EQ(tower.deep_layers, (std::vector<int>{0, 2}));
  EXPECT_TRUE(tower.frames_apart);
  EXPECT_TRUE(std::get<Decoder>(spec.trunk).rope.interleaved);
  EXPECT_TRUE(spec.head.tied);
  EXPECT_EQ(std::get<preprocess::PatchProcessor>(spec.processor).max_pixels, 4096);
  EXPECT_NO_THROW(Checkpoint(spec).check_finite(2));

  const fineprint::testing::TempDir alone;
  std::filesystem::copy_file(dir + "/model.gguf", alone.file("model.gguf"));
  const ModelSpec text = read_model(alone.file("model.gguf"));
  EXPECT_EQ(text.family, "qwen3");
  EXPECT_FALSE(text.sees());
  EXPECT_TRUE(std::get<Decoder>(text.trunk).rope.sections.empty());
}

// The same kind of file beside another language model: no features of further depths.
TEST(ReadModel, AGgufFileOfQwen35SeesWithItsProjector) {
  const std::string dir = std::string(FINEPRINT_TEST_DATA) + "/qwen35_seeing_gguf";
  const ModelSpec spec = read_model(dir + "/model.gguf");
  EXPECT_EQ(spec.family, "qwen3.5");
  EXPECT_EQ(spec.projector, dir + "/mmproj-model.gguf");
  EXPECT_TRUE(std::get<NativeTower>(spec.tower).deep_layers.empty());
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.rope.width, 8);
  EXPECT_EQ(decoder.rope.sections, (std::vector<int>{2, 1, 1}));
  EXPECT_TRUE(decoder.rope.interleaved);
  EXPECT_TRUE(decoder.delta.tiled);
  EXPECT_FALSE(decoder.norm_plus_one);
  EXPECT_EQ(decoder.kind(3), LayerKind::full_attention);
  EXPECT_NO_THROW(Checkpoint(spec).check_finite(2));

  const fineprint::testing::TempDir alone;
  std::filesystem::copy_file(dir + "/model.gguf", alone.file("model.gguf"));
  const ModelSpec text = read_model(alone.file("model.gguf"));
  EXPECT_FALSE(text.sees());
  EXPECT_TRUE(std::get<Decoder>(text.trunk).rope.sections.empty());
}

TEST(ReadModel, AFolderOfQwen35SeesWithPositionsOfThreeDimensions) {
  const ModelSpec spec = read_model(model_dir("qwen35_seeing"));
  EXPECT_EQ(spec.family, "qwen3.5");
  EXPECT_EQ(std::get<Decoder>(spec.trunk).rope.sections, (std::vector<int>{2, 1, 1}));
  EXPECT_EQ(std::get<MergeConnector>(spec.connector).further_depths, 0);
  const auto error_with = [](const char* key, const Json& value) {
    const fineprint::testing::CaseFolder folder("qwen35_seeing");
    folder.set("config.json", key, value);
    return fineprint::testing::model_error([&] { read_model(folder.path()); });
  };
  const std::string deep = error_with("/vision_config/deepstack_visual_indexes", Json::array({1}));
  EXPECT_NE(deep.find("deepstack_visual_indexes\" is not empty"), std::string::npos) << deep;
  const std::string odd = error_with("/text_config/rope_parameters/mrope_section", {2, 2, 1});
  EXPECT_NE(odd.find("mrope_section\" must list three sections that sum to 4,"), std::string::npos)
      << odd;
}

TEST(ReadModel, ADecoderWithModulesIsASentenceEncoder) {
  const ModelSpec spec = read_model(model_dir("qwen3_embed"));
  EXPECT_EQ(spec.family, "qwen3");
  EXPECT_FALSE(spec.head.generates);
  EXPECT_EQ(spec.head.pooling, Pooling::last_token);
  EXPECT_EQ(retriever_kind(spec), RetrieverKind::text);
  EXPECT_EQ(spec.prompt.query_prefix,
            "Instruct: Given a question, find the passages that answer it\nQuery:");
  EXPECT_EQ(spec.prompt.passage_prefix, "");
  EXPECT_EQ(spec.prompt.max_tokens, 512);
  EXPECT_NO_THROW(Checkpoint(spec).check_finite(2));
  // The same without: it wants to talk, and has no template.
  const fineprint::testing::CaseFolder folder("qwen3_embed");
  folder.remove("modules.json");
  EXPECT_NE(read_model(folder.path()).prompt.no_chat.find("has no chat template"),
            std::string::npos);
}

TEST(ReadModel, ReadsAFlatConfiguration) {
  const ModelSpec spec = read_model(model_dir("qwen25vl_a"));
  EXPECT_EQ(spec.family, "qwen2_5_vl");
  const auto& tower = std::get<NativeTower>(spec.tower);
  EXPECT_EQ(tower.layers, 3);
  EXPECT_EQ(tower.hidden, 48);
  EXPECT_EQ(tower.heads, 3);
  EXPECT_EQ(tower.intermediate, 100);
  EXPECT_EQ(tower.window, 112);
  EXPECT_EQ(tower.full_attention_layers, std::vector<int>{1});
  EXPECT_TRUE(tower.gated);
  EXPECT_EQ(tower.norm, NormKind::rms);
  EXPECT_EQ(tower.activation, Activation::silu);
  const auto& connector = std::get<MergeConnector>(spec.connector);
  EXPECT_EQ(connector.in, 48);
  EXPECT_EQ(connector.out, 64);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.kv_heads, 2);
  EXPECT_EQ(decoder.head_dim, 16);
  EXPECT_EQ(decoder.vocab_size, 1536);
  EXPECT_EQ(decoder.max_positions, 128000);
  EXPECT_TRUE(decoder.qkv_bias);
  EXPECT_EQ(decoder.rope.theta, 1e6);
  EXPECT_EQ(decoder.rope.sections, (std::vector<int>{2, 3, 3}));
  EXPECT_FALSE(spec.head.tied);
  EXPECT_EQ(spec.prompt.image_token, 1512);
  EXPECT_EQ(spec.generation.end_tokens, (std::vector<std::int64_t>{1502, 1500}));
  EXPECT_EQ(spec.generation.temperature, 0);
  const auto& processor = std::get<preprocess::PatchProcessor>(spec.processor);
  EXPECT_EQ(processor.max_pixels, 94080);
  EXPECT_FLOAT_EQ(processor.norm.mean[2], 0.40821073F);
}

TEST(ReadModel, ReadsANestedConfiguration) {
  const ModelSpec spec = read_model(model_dir("qwen25vl_b_tied_v5layout"));
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.hidden, 48);
  EXPECT_EQ(decoder.kv_heads, 1);
  EXPECT_EQ(decoder.rope.theta, 1e6);
  EXPECT_EQ(decoder.rope.sections, (std::vector<int>{1, 1, 2}));
  EXPECT_TRUE(spec.head.tied);
  EXPECT_EQ(spec.prompt.image_token, 912);
  EXPECT_EQ(spec.generation.end_tokens, std::vector<std::int64_t>{902});
}

TEST(ReadModel, ReadsTilesAndLongPositions) {
  const ModelSpec spec = read_model(model_dir("phi3v_a"));
  const auto& tower = std::get<FixedTower>(spec.tower);
  EXPECT_EQ(tower.layers, 3);
  EXPECT_EQ(tower.used_layers, 2);
  EXPECT_TRUE(tower.class_token);
  EXPECT_TRUE(tower.norm_before);
  EXPECT_FALSE(tower.norm_after);
  EXPECT_FALSE(tower.patch_bias);
  EXPECT_EQ(tower.activation, Activation::quick_gelu);
  EXPECT_EQ(tower.norm_eps, 1e-5);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_TRUE(decoder.fused);
  EXPECT_FALSE(decoder.qkv_bias);
  EXPECT_EQ(decoder.rope.original_positions, 512);
  EXPECT_EQ(decoder.rope.short_factors.size(), 8U);
  EXPECT_EQ(decoder.rope.long_factors.size(), 8U);
  EXPECT_NEAR(decoder.rope.magnitude, std::sqrt(1 + std::log(16.0) / std::log(512.0)), 1e-12);
  EXPECT_EQ(spec.prompt.slots, ImageSlots::numbered);
  EXPECT_EQ(spec.prompt.embedding_suffix, std::vector<std::int64_t>{1403});
  EXPECT_TRUE(spec.head.generates);
  EXPECT_EQ(spec.head.pooling, Pooling::last_token);
  const auto& processor = std::get<preprocess::TileProcessor>(spec.processor);
  EXPECT_EQ(processor.max_tiles, 4);
  EXPECT_EQ(processor.tile_tokens, 144);
  EXPECT_EQ(spec.generation.end_tokens, (std::vector<std::int64_t>{2, 1403, 1410}));
}

TEST(ReadModel, ReadsSquaresAndABidirectionalPrompt) {
  const ModelSpec spec = read_model(model_dir("colpali_a"));
  const auto& tower = std::get<FixedTower>(spec.tower);
  EXPECT_EQ(tower.used_layers, tower.layers);
  EXPECT_TRUE(tower.norm_after);
  EXPECT_TRUE(tower.patch_bias);
  EXPECT_FALSE(tower.class_token);
  EXPECT_EQ(tower.norm_eps, 1e-6);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.head_dim, 24);
  EXPECT_EQ(decoder.embedding_scale, 8);
  EXPECT_TRUE(decoder.norm_plus_one);
  EXPECT_TRUE(decoder.prompt_bidirectional);
  EXPECT_EQ(decoder.first_position, 1);
  EXPECT_EQ(spec.head.projection, 128);
  EXPECT_TRUE(spec.head.projection_bias);
  EXPECT_EQ(spec.head.pooling, Pooling::every_token);
  EXPECT_EQ(std::get<preprocess::SquareProcessor>(spec.processor).tokens, 64);
  EXPECT_EQ(spec.prompt.image_token, 1300);
  EXPECT_EQ(spec.prompt.page_text, "{image}<bos>Describe the image.\n");
  EXPECT_EQ(spec.prompt.query_text,
            "<bos>Question: {text}<pad><pad><pad><pad><pad><pad><pad><pad><pad><pad>\n");
}

// The folder phi3v_a under the name of a published retriever.
ModelSpec page_encoder_named(const testing::TempDir& folder, const std::string& name,
                             const GivenPrefixes& given = {}) {
  const std::string dir = folder.path() + "/" + name;
  if (!std::filesystem::exists(dir)) {
    std::filesystem::copy(model_dir("phi3v_a"), dir, std::filesystem::copy_options::recursive);
  }
  return read_encoder(dir, "", given);
}

TEST(ReadModel, PageEncodersTakeTheQuestionPrefixTheyWereTrainedWith) {
  const testing::TempDir folder;
  const ModelSpec vdoc = page_encoder_named(folder, "VDocRetriever-Phi3-vision");
  EXPECT_EQ(query_prompt(vdoc.prompt, "Who?"),
            "Instruct: I\u2019m looking for an image that answers the question.\nQuery: Who?");
  const ModelSpec dse = page_encoder_named(folder, "dse-phi3-v1.0");
  EXPECT_EQ(query_prompt(dse.prompt, "Who?"), "query: Who?");
  const ModelSpec other = page_encoder_named(folder, "other");
  EXPECT_EQ(query_prompt(other.prompt, "Who?"), "Who?");
  const ModelSpec given = page_encoder_named(folder, "other", {.query = "Q: ", .passage = "P: "});
  EXPECT_EQ(query_prompt(given.prompt, "Who?"), "Q: Who?");
  EXPECT_EQ(passage_prompt(given.prompt, "We."), "We.");
  const ModelSpec none =
      page_encoder_named(folder, "dse-phi3-v1.0", {.query = "none", .passage = ""});
  EXPECT_EQ(query_prompt(none.prompt, "Who?"), "Who?");
  // The vectors of pages are the same, so those in a store stay valid.
  EXPECT_EQ(Checkpoint(vdoc).hash(), Checkpoint(other).hash());
  EXPECT_EQ(Checkpoint(given).hash(), Checkpoint(other).hash());
}

TEST(ReadModel, ReadsAModelInsideARetriever) {
  const ModelSpec spec = read_model(model_dir("colqwen2_a"));
  EXPECT_EQ(spec.family, "colqwen2");
  const auto& tower = std::get<NativeTower>(spec.tower);
  EXPECT_EQ(tower.norm, NormKind::layer);
  EXPECT_FALSE(tower.gated);
  EXPECT_EQ(tower.intermediate, 128);
  EXPECT_EQ(tower.window, 0);
  EXPECT_TRUE(spec.head.tied);
  EXPECT_EQ(spec.head.projection, 128);
  EXPECT_EQ(std::get<preprocess::PatchProcessor>(spec.processor).max_pixels, 47040);
}

TEST(ReadModel, ReadsLateInteractionOverTexts) {
  const ModelSpec spec = read_model(model_dir("colbert_a"));
  EXPECT_EQ(spec.family, "colbert");
  EXPECT_FALSE(spec.sees());
  EXPECT_EQ(spec.head.projection, 128);
  EXPECT_FALSE(spec.head.projection_bias);
  EXPECT_EQ(spec.prompt.query_marker, "[unused0]");
  EXPECT_EQ(spec.prompt.passage_marker, "[unused1]");
  EXPECT_EQ(spec.prompt.query_tokens, 32);
  EXPECT_EQ(spec.prompt.passage_tokens, 60);
  EXPECT_FALSE(spec.prompt.attend_to_fill);
  EXPECT_TRUE(spec.prompt.skip_punctuation);
}

TEST(ReadModel, ListsTheFilesItRead) {
  const ModelSpec spec = read_model(model_dir("phi3v_a"));
  std::vector<std::string> names;
  for (const std::string& file : spec.files) names.push_back(file.substr(file.rfind('/') + 1));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"config.json", "generation_config.json",
                                             "preprocessor_config.json", "tokenizer.json"}));
}

TEST(DescribeModel, CountsPartsMemoryAndTokens) {
  const ModelSpec spec = read_model(model_dir("qwen25vl_a"));
  const Checkpoint checkpoint(spec);
  const ModelFacts facts = describe_model(spec, checkpoint);
  std::int64_t sum = 0;
  for (const PartFacts& part : facts.parts) sum += part.parameters;
  EXPECT_EQ(facts.parts.size(), 4U);
  EXPECT_EQ(sum, facts.parameters);
  EXPECT_EQ(facts.stored_dtype, "F32");
  ASSERT_EQ(facts.memory.size(), 2U);
  EXPECT_EQ(facts.memory[1].weight_bytes, 2 * facts.parameters);
  EXPECT_EQ(facts.memory[0].state_bytes, 4 * 1000 * 2 * 2 * 2 * 16);
  EXPECT_TRUE(facts.sees && facts.generates && facts.embeds);
  EXPECT_FALSE(facts.many_vectors);
  EXPECT_EQ(facts.vector_width, 64);
  EXPECT_EQ(facts.max_tokens, 128000);
  EXPECT_GT(facts.page_tokens, 0);
  EXPECT_LE(facts.page_tokens, 94080 / (28 * 28));
  EXPECT_EQ(facts.memory[0].page_state_bytes, facts.page_tokens * 4 * 2 * 2 * 2 * 16);
  EXPECT_EQ(facts.memory[1].page_state_bytes, facts.memory[0].page_state_bytes / 2);
}

TEST(DescribeModel, SaysWhatAPagesStateTakes) {
  const auto described = [](const char* name) {
    const ModelSpec spec = read_model(model_dir(name));
    return describe_model(spec, Checkpoint(spec));
  };
  // One layer of keys and values, and three of six heads' matrices of 16 x 24 in float32 with what
  // the convolution looks back at.
  const ModelFacts hybrid = described("qwen35_seeing");
  const std::int64_t matrices = 6 * 16 * 24 * 4, looked_back = (2 * 2 * 16 + 6 * 24) * 3;
  EXPECT_EQ(hybrid.memory[0].page_state_bytes,
            hybrid.page_tokens * 2 * 2 * 32 * 4 + 3 * (matrices + looked_back * 4));
  EXPECT_EQ(hybrid.memory[1].page_state_bytes,
            hybrid.page_tokens * 2 * 2 * 32 * 2 + 3 * (matrices + looked_back * 2));
  // Its prompts are read both ways: none is the beginning of another.
  EXPECT_EQ(described("paligemma_gen").memory[0].page_state_bytes, 0);
  EXPECT_EQ(described("colpali_a").memory[0].page_state_bytes, 0);
  EXPECT_EQ(described("qwen35_a").memory[0].page_state_bytes, 0);
}

TEST(DescribeModel, KnowsAnEncoderOfTexts) {
  const ModelSpec spec = read_model(model_dir("colbert_a"));
  const ModelFacts facts = describe_model(spec, Checkpoint(spec));
  EXPECT_FALSE(facts.sees || facts.generates);
  EXPECT_TRUE(facts.many_vectors);
  EXPECT_EQ(facts.vector_width, 128);
  EXPECT_EQ(facts.memory[0].state_bytes, 0);
  EXPECT_EQ(facts.page_tokens, 0);
}

}  // namespace
}  // namespace fineprint::models
