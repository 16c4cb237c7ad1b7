// Tests of reading folders of XLM-R, ModernBERT, GTE and cross-encoders.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"
#include "fineprint/tensorfile/safetensors.h"

#include "support/case_folder.h"
#include "support/has.h"
#include "support/model_folder.h"

namespace fineprint::models {
namespace {

constexpr LayerKind kFull = LayerKind::full_attention;
constexpr LayerKind kWindowed = LayerKind::windowed_attention;

using fineprint::testing::CaseFolder;
using fineprint::testing::has;
using fineprint::testing::model_error;

std::string text_case(const std::string& name) {
  return std::string(FINEPRINT_TEST_DATA) + "/" + name + "/model";
}

std::string error_of(const CaseFolder& folder) {
  return model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
}

TEST(XlmRobertaFolder, PositionsBeginBehindThePaddings) {
  const CaseFolder folder("xlmr_a");
  const ModelSpec spec = read_model(folder.path());
  const auto& encoder = std::get<TextEncoder>(spec.trunk);
  EXPECT_EQ(encoder.first_position, 2);
  EXPECT_EQ(encoder.max_positions, 64);
  EXPECT_EQ(encoder.type_vocab_size, 1);
  EXPECT_EQ(spec.prompt.max_tokens, 64);
  // The table has rows for as many tokens as the configuration says, and two more.
  folder.set("config.json", "/max_position_embeddings", 65);
  EXPECT_TRUE(has(error_of(folder), "position_embeddings")) << error_of(folder);
  folder.set("config.json", "/max_position_embeddings", 4);
  EXPECT_TRUE(has(error_of(folder), "max_position_embeddings")) << error_of(folder);
}

TEST(ModernBertFolder, HoldsWindowsAndTwoKindsOfPositions) {
  const ModelSpec spec = read_model(text_case("modernbert_a"));
  const auto& encoder = std::get<RotaryEncoder>(spec.trunk);
  EXPECT_TRUE(encoder.norm_first);
  EXPECT_TRUE(encoder.gate_first);
  EXPECT_FALSE(encoder.norm_bias);
  EXPECT_EQ(encoder.kinds, (std::vector{kFull, kWindowed, kWindowed, kFull, kWindowed}));
  EXPECT_EQ(encoder.window, 8);
  EXPECT_EQ(encoder.rope.theta, 160000);
  EXPECT_EQ(encoder.window_rope.theta, 10000);
  EXPECT_EQ(retriever_kind(spec), RetrieverKind::text);
}

TEST(ModernBertFolder, ReadsTheLayoutOfNewerWriters) {
  const CaseFolder folder("modernbert_a");
  for (const char* key :
       {"/global_attn_every_n_layers", "/global_rope_theta", "/local_rope_theta"}) {
    folder.erase("config.json", key);
  }
  folder.set("config.json", "/layer_types",
             {"sliding_attention", "full_attention", "sliding_attention", "full_attention",
              "full_attention"});
  folder.set("config.json", "/rope_parameters",
             {{"full_attention", {{"rope_type", "default"}, {"rope_theta", 500.0}}},
              {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 50.0}}}});
  const auto encoder = std::get<RotaryEncoder>(read_model(folder.path()).trunk);
  EXPECT_EQ(encoder.kinds, (std::vector{kWindowed, kFull, kWindowed, kFull, kFull}));
  EXPECT_EQ(encoder.rope.theta, 500);
  EXPECT_EQ(encoder.window_rope.theta, 50);
  folder.set("config.json", "/rope_parameters/full_attention/rope_type", "yarn");
  EXPECT_TRUE(has(error_of(folder), "rope_type")) << error_of(folder);
}

TEST(ModernBertFolder, NamesTheAbsurdKey) {
  const std::tuple<const char*, Json, const char*> damages[] = {
      {"/num_attention_heads", 5, "num_attention_heads"},
      {"/hidden_size", 1 << 20, "hidden_size"},
      {"/local_attention", 0, "local_attention"},
      {"/hidden_activation", "relu", "hidden_activation"},
      {"/norm_eps", 3, "norm_eps"},
      {"/layer_types", {"full_attention"}, "layer_types"},
      {"/layer_types", {"conv", "conv", "conv", "conv", "conv"}, "layer_types"},
      {"/global_attn_every_n_layers", 0, "global_attn_every_n_layers"},
      {"/norm_bias", true, "norm.bias"},
      {"/num_hidden_layers", 6, "layers.5."},
  };
  for (const auto& [key, value, named] : damages) {
    const CaseFolder folder("modernbert_a");
    folder.set("config.json", key, value);
    EXPECT_TRUE(has(error_of(folder), named)) << key << ": " << error_of(folder);
  }
}

TEST(GteFolder, ScalesFrequenciesAsItsOwnCodeDoes) {
  const CaseFolder folder("gte_a");
  const ModelSpec spec = read_model(folder.path());
  const auto& encoder = std::get<RotaryEncoder>(spec.trunk);
  EXPECT_FALSE(encoder.norm_first);
  EXPECT_FALSE(encoder.gate_first);
  EXPECT_EQ(encoder.type_vocab_size, 2);
  EXPECT_EQ(encoder.rope.theta, 1000);
  ASSERT_EQ(encoder.rope.short_factors.size(), 8U);
  EXPECT_DOUBLE_EQ(encoder.rope.short_factors[0], std::pow(2.0, 2.0 / 16));
  EXPECT_EQ(spec.head.pooling, Pooling::last_token);
  folder.set("config.json", "/rope_scaling/type", "yarn");
  EXPECT_TRUE(has(error_of(folder), "yarn")) << error_of(folder);
  folder.set("config.json", "/rope_scaling", nullptr);
  EXPECT_EQ(std::get<RotaryEncoder>(read_model(folder.path()).trunk).rope.theta, 500);
  folder.set("config.json", "/logn_attention_scale", true);
  EXPECT_TRUE(has(error_of(folder), "logn_attention_scale")) << error_of(folder);
}

// gte-multilingual has a head that weighs words beside its vectors.
TEST(GteFolder, LeavesTheHeadForWordsAlone) {
  const CaseFolder folder("gte_a");
  const tensorfile::SafetensorsReader reader(folder.file("model.safetensors"));
  std::vector<tensorfile::TensorToWrite> tensors;
  const std::vector<std::uint8_t> zeros(32 * sizeof(float));
  for (const auto& [name, view] : reader.tensors()) {
    tensors.push_back({name, view.dtype, view.shape, view.bytes});
  }
  tensors.push_back({"classifier.weight", tensorfile::Dtype::f32, {1, 32}, zeros});
  const std::string written = folder.root() + "/written.safetensors";
  tensorfile::write(written, tensors);
  std::filesystem::rename(written, folder.file("model.safetensors"));
  EXPECT_TRUE(has(error_of(folder), "classifier.weight")) << error_of(folder);
  folder.set("config.json", "/architectures", {"NewModel", "NewForTokenClassification"});
  EXPECT_EQ(error_of(folder), "no error");
}

TEST(MpnetFolder, KnowsDistancesAndNoTypes) {
  const CaseFolder folder("mpnet_a");
  const auto encoder = std::get<TextEncoder>(read_model(folder.path()).trunk);
  EXPECT_EQ(encoder.distance_kinds, 32);
  EXPECT_EQ(encoder.type_vocab_size, 0);
  EXPECT_EQ(encoder.max_positions, 160);
  EXPECT_THROW(read_encoder("int8:" + folder.path()), Error);
  folder.set("config.json", "/relative_attention_num_buckets", 16);
  EXPECT_TRUE(has(error_of(folder), "relative_attention_num_buckets")) << error_of(folder);
}

TEST(NomicFolder, ReadsItsOwnWords) {
  const CaseFolder folder("nomic_a");
  const auto encoder = std::get<RotaryEncoder>(read_model(folder.path()).trunk);
  EXPECT_EQ(encoder.layers, 3);
  EXPECT_EQ(encoder.intermediate, 48);
  EXPECT_FALSE(encoder.fused);
  EXPECT_EQ(encoder.activation, Activation::silu);
  EXPECT_EQ(encoder.rope.theta, 1000);
  EXPECT_EQ(encoder.max_positions, 64);
  // Frequencies that change beyond the training's positions are not made: texts end there.
  folder.set("config.json", "/rotary_scaling_factor", 2);
  const ModelSpec scaled = read_model(folder.path());
  EXPECT_EQ(std::get<RotaryEncoder>(scaled.trunk).max_positions, 32);
  EXPECT_EQ(scaled.prompt.max_tokens, 32);
  for (const char* flag : {"/prenorm", "/qkv_proj_bias", "/rotary_emb_interleaved", "/causal"}) {
    folder.set("config.json", flag, true);
    EXPECT_TRUE(has(error_of(folder), flag + 1)) << error_of(folder);
    folder.set("config.json", flag, false);
  }
  folder.set("config.json", "/rotary_emb_fraction", 0.5);
  EXPECT_TRUE(has(error_of(folder), "rotary_emb_fraction")) << error_of(folder);
}

TEST(LateTextFolder, HoldsWhatPyLateSays) {
  const CaseFolder folder("late_modernbert_a");
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(retriever_kind(spec), RetrieverKind::late_text);
  EXPECT_EQ(vector_width(spec), 16U);
  ASSERT_EQ(spec.head.dense.size(), 2U);
  EXPECT_TRUE(spec.head.dense[0].residual);
  EXPECT_FALSE(spec.head.dense[1].residual);
  EXPECT_EQ(spec.prompt.query_marker, "[Q] ");
  EXPECT_EQ(spec.prompt.query_tokens, 24);
  EXPECT_EQ(spec.prompt.passage_tokens, 48);
  EXPECT_TRUE(spec.prompt.attend_to_fill);
  EXPECT_FALSE(spec.prompt.skip_punctuation);
  EXPECT_EQ(spec.prompt.skipped_tokens.size(), 32U);
  folder.set("config_sentence_transformers.json", "/query_length", 1000);
  EXPECT_TRUE(has(error_of(folder), "query_length")) << error_of(folder);
  folder.remove("config_sentence_transformers.json");
  EXPECT_TRUE(has(error_of(folder), "config_sentence_transformers.json")) << error_of(folder);
}

TEST(SparseFolder, HoldsWhatSparseEncoderSays) {
  const CaseFolder folder("splade_a");
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(retriever_kind(spec), RetrieverKind::sparse);
  EXPECT_EQ(vector_width(spec), 1200U);  // the vocabulary
  EXPECT_FALSE(spec.head.vocabulary->log_twice);
  EXPECT_TRUE(spec.head.vocabulary->query_folder.empty());
  folder.set("1_SpladePooling/config.json", "/pooling_strategy", "sum");
  EXPECT_TRUE(has(error_of(folder), "pooling_strategy")) << error_of(folder);
  folder.set("1_SpladePooling/config.json", "/pooling_strategy", "max");
  folder.set("1_SpladePooling/config.json", "/activation_function", "softplus");
  EXPECT_TRUE(has(error_of(folder), "activation_function")) << error_of(folder);
  folder.set("1_SpladePooling/config.json", "/activation_function", "relu");
  folder.set("config.json", "/tie_word_embeddings", false);
  EXPECT_TRUE(has(error_of(folder), "tie_word_embeddings")) << error_of(folder);
  folder.set("modules.json", "/1/path", "../outside");
  EXPECT_TRUE(has(error_of(folder), "path")) << error_of(folder);
}

TEST(SparseFolder, QuestionsMayHaveATable) {
  const CaseFolder folder("splade_static_a");
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(spec.family, "distilbert");
  EXPECT_TRUE(spec.head.vocabulary->log_twice);
  EXPECT_EQ(spec.head.vocabulary->query_folder, "query_0_SparseStaticEmbedding");
  folder.set("router_config.json", "/structure/query/0", "../../outside");
  EXPECT_TRUE(has(error_of(folder), "types")) << error_of(folder);
  folder.set("router_config.json", "/structure/query", Json::array({"document_1_SpladePooling"}));
  EXPECT_TRUE(has(error_of(folder), "SparseStaticEmbedding")) << error_of(folder);
  folder.remove("router_config.json");
  EXPECT_TRUE(has(error_of(folder), "router_config.json")) << error_of(folder);
}

TEST(VspladeFolder, WeighsTheTokensOfPages) {
  const CaseFolder folder("vsplade_a");
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(spec.family, "vsplade");
  EXPECT_EQ(retriever_kind(spec), RetrieverKind::sparse_page);
  const auto& trunk = std::get<RotaryEncoder>(spec.trunk);
  EXPECT_EQ(trunk.added_tokens, 12);
  // Weights of the tokens that a head names, and not of those for images.
  EXPECT_EQ(vector_width(spec), static_cast<std::size_t>(trunk.vocab_size));
  EXPECT_NEAR(spec.head.vocabulary->scale, 0.4204, 1e-4);  // 32 to the power -1/4
  EXPECT_TRUE(spec.head.vocabulary->query_rows);
  EXPECT_TRUE(has(spec.prompt.page_text, "User:{image}Describe the image."));
}

// Published files leave out what the named models have.
TEST(VspladeFolder, KnowsTheModelsThatItNames) {
  const CaseFolder folder("vsplade_a");
  const Json text = {{"model_type", "vbert"},   {"hidden_size", 768},
                     {"num_hidden_layers", 22}, {"intermediate_size", 1152},
                     {"vocab_size", 50368},     {"text_model_name", "jhu-clsp/ettin-encoder-150m"}};
  const Json vision = {
      {"model_type", "vbert"},   {"embed_dim", 768},
      {"image_size", 512},       {"patch_size", 16},
      {"num_hidden_layers", 12}, {"vision_model_name", "google/siglip2-base-patch16-512"}};
  folder.set("config.json", "/text_config", text);
  folder.set("config.json", "/vision_config", vision);
  folder.set("config.json", "/vocab_size", 50368);
  folder.set("config.json", "/additional_vocab_size", 40);
  folder.set("config.json", "/image_token_id", 50407);
  folder.set("preprocessor_config.json", "/max_image_size/longest_edge", 512);
  folder.set("processor_config.json", "/image_seq_len", 64);
  const ModelSpec spec = read_model(folder.path());
  const auto& trunk = std::get<RotaryEncoder>(spec.trunk);
  EXPECT_EQ(trunk.heads, 12);
  EXPECT_EQ(trunk.max_positions, 7999);
  EXPECT_EQ(trunk.window, 64);
  EXPECT_EQ(trunk.rope.theta, 160000);
  EXPECT_EQ(trunk.window_rope.theta, 160000);
  EXPECT_EQ(std::get<FixedTower>(spec.tower).heads, 12);
  EXPECT_EQ(std::get<FixedTower>(spec.tower).image_size, 512);
  EXPECT_EQ(vector_width(spec), 50368U);
  folder.set("config.json", "/text_config/text_model_name", "another/encoder");
  EXPECT_TRUE(has(error_of(folder), "another/encoder")) << error_of(folder);
}

TEST(VspladeFolder, NamesTheAbsurdKey) {
  for (const auto& [key, value, named] :
       {std::tuple<const char*, Json, const char*>{"/pixel_shuffle_factor", 3,
                                                   "pixel_shuffle_factor"},
        {"/image_token_id", 1 << 20, "image_token_id"},
        {"/vocab_size", 7, "vocab_size"},
        {"/additional_vocab_size", -1, "additional_vocab_size"},
        {"/additional_vocab_size", 13, "additional_embedding"},
        {"/text_config/num_attention_heads", 3, "num_attention_heads"},
        {"/text_config/hidden_activation", "relu", "hidden_activation"},
        {"/vision_config/hidden_act", "relu", "hidden_act"},
        {"/vision_config/embed_dim", 0, "embed_dim"},
        {"/vision_config/embed_dim", 26, "vision_model"}}) {
    const CaseFolder folder("vsplade_a");
    folder.set("config.json", key, value);
    EXPECT_TRUE(has(error_of(folder), named)) << key << ": " << error_of(folder);
  }
}

TEST(ColModernVBertFolder, HoldsATowerBeforeAnEncoder) {
  const CaseFolder folder("colmodernvbert_a");
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(retriever_kind(spec), RetrieverKind::late);
  EXPECT_EQ(vector_width(spec), 16U);
  EXPECT_EQ(std::get<ShuffleConnector>(spec.connector).merge, 4);
  EXPECT_FALSE(std::get<FixedTower>(spec.tower).bucketed_positions);
  EXPECT_EQ(std::get<RotaryEncoder>(spec.trunk).window, 32);
  EXPECT_TRUE(has(spec.prompt.page_text, "User:{image}Describe the image."));
  EXPECT_TRUE(spec.prompt.query_text.starts_with("{text}<end_of_utterance><end_of_utterance>"));
  folder.set("processor_config.json", "/visual_prompt_prefix", "Page: <image>!");
  folder.set("processor_config.json", "/query_prefix", "Q: ");
  const ModelSpec other = read_model(folder.path());
  EXPECT_EQ(other.prompt.page_text, "Page: {image}!");
  EXPECT_TRUE(other.prompt.query_text.starts_with("Q: {text}"));
  folder.set("processor_config.json", "/visual_prompt_prefix", "Page:");
  EXPECT_TRUE(has(error_of(folder), "visual_prompt_prefix")) << error_of(folder);
}

TEST(ColModernVBertFolder, NamesTheAbsurdKey) {
  for (const auto& [key, value, named] :
       {std::tuple<const char*, Json, const char*>{"/vlm_config/pixel_shuffle_factor", 3,
                                                   "pixel_shuffle_factor"},
        {"/vlm_config/image_token_id", 1 << 20, "image_token_id"},
        {"/vlm_config/text_config/model_type", "bert", "model_type"},
        {"/vlm_config/vision_config/hidden_act", "relu", "hidden_act"},
        {"/embedding_dim", 0, "embedding_dim"},
        {"/embedding_dim", 17, "embedding_proj_layer"}}) {
    const CaseFolder folder("colmodernvbert_a");
    folder.set("config.json", key, value);
    EXPECT_TRUE(has(error_of(folder), named)) << key << ": " << error_of(folder);
  }
}

TEST(CrossEncoderFolder, GivesOneNumberAndNoVectors) {
  for (const char* name :
       {"rerank_bert_a", "rerank_xlmr_a", "rerank_modernbert_a", "rerank_gte_a"}) {
    EXPECT_TRUE(read_reranker(text_case(name)).head.pair) << name;
    try {
      read_encoder(text_case(name));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_TRUE(has(error.what(), "--rerank")) << error.what();
    }
  }
  try {
    read_reranker(text_case("bert_mean_a"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_TRUE(has(error.what(), "cannot score pairs of texts")) << error.what();
  }
}

TEST(CrossEncoderFolder, RefusesClassifiers) {
  const CaseFolder folder("rerank_bert_a");
  folder.set("config.json", "/id2label", {{"0", "bad"}, {"1", "good"}, {"2", "best"}});
  EXPECT_TRUE(has(error_of(folder), "3 classes")) << error_of(folder);
  folder.erase("config.json", "/id2label");
  EXPECT_TRUE(has(error_of(folder), "2 classes")) << error_of(folder);
  folder.set("config.json", "/num_labels", 1);
  EXPECT_TRUE(read_reranker(folder.path()).head.pair);
}

TEST(CrossEncoderFolder, PairsEndAtTheTokenizersLimit) {
  const CaseFolder folder("rerank_xlmr_a");
  EXPECT_EQ(read_reranker(folder.path()).prompt.max_tokens, 64);
  folder.set("tokenizer_config.json", "/model_max_length", 20);
  EXPECT_EQ(read_reranker(folder.path()).prompt.max_tokens, 20);
}

}  // namespace
}  // namespace fineprint::models
