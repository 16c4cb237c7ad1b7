// Tests of reading folders and GGUF files of language models whose decoders differ from Llama's.
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/state_bytes.h"

#include "support/case_folder.h"
#include "support/has.h"
#include "support/model_folder.h"

namespace fineprint::models {
namespace {

constexpr LayerKind kSeesAll = LayerKind::full_attention;
constexpr LayerKind kSeesWindow = LayerKind::windowed_attention;

using fineprint::testing::CaseFolder;
using fineprint::testing::has;
using fineprint::testing::model_error;

Decoder decoder_in(const std::string& name) {
  return std::get<Decoder>(read_model(std::string(FINEPRINT_TEST_DATA) + "/" + name).trunk);
}

// Changes one key after the other, each in a folder of its own.
struct WrongKey {
  const char* key;
  Json value;
  const char* told;
};
void expect_keys_refused(const std::string& name, const std::vector<WrongKey>& damages) {
  for (const WrongKey& damage : damages) {
    const CaseFolder folder(name);
    folder.set("config.json", damage.key, damage.value);
    const std::string error =
        model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
    EXPECT_TRUE(has(error, damage.told)) << damage.key << ": " << error;
  }
}

TEST(Qwen2Folder, HasBiasesAndNoWindow) {
  const Decoder decoder = decoder_in("qwen2_a/model");
  EXPECT_TRUE(decoder.qkv_bias);
  EXPECT_FALSE(decoder.qk_norm);
  EXPECT_EQ(decoder.window, 0);  // the file names one that a flag switches off
  EXPECT_TRUE(decoder_in("qwen2_gguf/model.gguf").qkv_bias);
  expect_keys_refused("qwen2_a", {{"/use_sliding_window", true, "sliding_window"},
                                  {"/is_causal", false, "is_causal"},
                                  {"/hidden_act", "gelu", "hidden_act"},
                                  {"/num_key_value_heads", 3, "num_key_value_heads"},
                                  {"/tie_word_embeddings", false, "lm_head"},
                                  {"/num_hidden_layers", 3, "layers.2."}});
}

TEST(Phi3Folder, HasOneWindowAndTwoSetsOfFactors) {
  const Decoder decoder = decoder_in("phi3_a/model");
  EXPECT_TRUE(decoder.fused);
  EXPECT_EQ(decoder.kinds, (std::vector{kSeesWindow, kSeesWindow}));
  EXPECT_EQ(decoder.window, 20);
  EXPECT_EQ(decoder.window_rope.long_factors, decoder.rope.long_factors);
  EXPECT_EQ(decoder.rope.original_positions, 48);
  EXPECT_DOUBLE_EQ(decoder.rope.magnitude, std::sqrt(1 + std::log(512.0 / 48) / std::log(48.0)));
  // Only the tokens of the window are kept.
  EXPECT_EQ(state_bytes(decoder, 100, 4), 2 * 2 * 19 * 2 * 12 * 4);
  const Decoder gguf = decoder_in("phi3_gguf/model.gguf");
  EXPECT_TRUE(gguf.kinds.empty());
  EXPECT_EQ(gguf.rope.width, 12);
  EXPECT_EQ(gguf.rope.short_factors, (std::vector<double>{1, 1.25, 1.5, 1.75, 2, 2.25}));
  EXPECT_EQ(gguf.rope.original_positions, 48);
  expect_keys_refused("phi3_a", {{"/sliding_window", 0, "sliding_window"},
                                 {"/rope_scaling/short_factor", {1, 2}, "short_factor"},
                                 {"/rope_scaling/long_factor/3", 0, "long_factor"},
                                 {"/rope_scaling/type", "ntk", "ntk"},
                                 {"/partial_rotary_factor", 0.01, "partial_rotary_factor"},
                                 {"/original_max_position_embeddings", 1, "original_max"},
                                 {"/num_key_value_heads", 4, "qkv_proj"}});
}

// The newline after "<|user|>" belongs to the token, as its tokenizer.json says and the file does
// not.
TEST(Phi3Folder, TokensOfItsFileTakeTheBlanksAfterThem) {
  const std::string data = FINEPRINT_TEST_DATA;
  const auto listed = load_tokenizer(data + "/phi3_gguf/model.gguf");
  const auto folder = load_tokenizer(data + "/phi3_a/model/tokenizer.json");
  for (const std::string text : {"<|user|>\nWho signs?<|end|>\n<|assistant|>\n",
                                 "<|system|> \n a<|endoftext|>\nb", "<s> a"}) {
    const auto ours = listed->encode(text, false), theirs = folder->encode(text, false);
    ASSERT_EQ(ours.size(), theirs.size()) << text;
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(ours[i].id, theirs[i].id) << text;
  }
}

TEST(Gemma2Folder, HasCapsAndLayersInTurn) {
  const Decoder decoder = decoder_in("gemma2_a/model");
  EXPECT_EQ(decoder.attention_cap, 2);
  EXPECT_EQ(decoder.logit_cap, 3);
  EXPECT_EQ(decoder.kinds, (std::vector{kSeesWindow, kSeesAll, kSeesWindow, kSeesAll}));
  EXPECT_EQ(decoder.window, 16);
  EXPECT_DOUBLE_EQ(decoder.attention_scale, 1 / std::sqrt(24.0));
  EXPECT_TRUE(decoder.norms_behind && decoder.norm_plus_one);
  const Decoder gguf = decoder_in("gemma2_gguf/model.gguf");
  EXPECT_FALSE(gguf.norm_plus_one);
  EXPECT_EQ(gguf.kinds, decoder.kinds);
  EXPECT_EQ(gguf.attention_cap, 2);
  expect_keys_refused("gemma2_a", {{"/attn_logit_softcapping", 0, "attn_logit_softcapping"},
                                   {"/final_logit_softcapping", -1, "final_logit_softcapping"},
                                   {"/hidden_activation", "relu", "hidden_activation"},
                                   {"/layer_types", {"full_attention"}, "layer_types"},
                                   {"/sliding_window", 0, "sliding_window"}});
}

TEST(SmolLM3Folder, SaysWhichLayersRotate) {
  EXPECT_EQ(decoder_in("smollm3_a/model").unrotated, (std::vector{false, true, false, true}));
  EXPECT_EQ(decoder_in("smollm3_gguf/model.gguf").unrotated,
            (std::vector{false, false, false, true, false}));
  expect_keys_refused("smollm3_a", {{"/no_rope_layers", {1, 0, 1}, "no_rope_layers"},
                                    {"/no_rope_layers", {1, 0, 2, 0}, "no_rope_layers"},
                                    {"/use_sliding_window", 7, "use_sliding_window"},
                                    {"/attention_bias", true, "attention_bias"}});
  const CaseFolder folder("smollm3_a");
  folder.erase("config.json", "/no_rope_layers");
  folder.set("config.json", "/no_rope_layer_interval", 2);
  EXPECT_EQ(std::get<Decoder>(read_model(folder.path()).trunk).unrotated,
            (std::vector{false, true, false, true}));
}

TEST(GraniteFolder, HasFourMultipliers) {
  const Decoder decoder = decoder_in("granite_a/model");
  EXPECT_EQ(decoder.embedding_scale, 1.5);
  EXPECT_EQ(decoder.attention_scale, 0.15);
  EXPECT_EQ(decoder.residual_scale, 0.6);
  EXPECT_EQ(decoder.logit_divisor, 2.5);
  EXPECT_EQ(decoder_in("granite_gguf/model.gguf").residual_scale, 0.22);
  expect_keys_refused("granite_a", {{"/logits_scaling", 0, "logits_scaling"},
                                    {"/residual_multiplier", "much", "residual_multiplier"},
                                    {"/attention_multiplier", -1, "attention_multiplier"},
                                    {"/embedding_multiplier", 1e9, "embedding_multiplier"}});
}

TEST(Qwen3MoeFolder, HasExpertsInSomeLayers) {
  const Decoder decoder = decoder_in("qwen3moe_a/model");
  EXPECT_EQ(decoder.experts.count, 6);
  EXPECT_EQ(decoder.experts.chosen, 2);
  EXPECT_EQ(decoder.experts.intermediate, 32);
  EXPECT_FALSE(decoder.experts.weights_sum_to_one);
  EXPECT_TRUE(decoder.mixes_experts(0) && !decoder.mixes_experts(1) && decoder.mixes_experts(2));
  EXPECT_TRUE(decoder_in("qwen3moe_gguf/model.gguf").experts.weights_sum_to_one);
  // A token of a reply reads two of the six experts in two layers.
  const ModelSpec spec = read_model(std::string(FINEPRINT_TEST_DATA) + "/qwen3moe_a/model");
  const Checkpoint checkpoint(spec);
  EXPECT_EQ(describe_model(spec, checkpoint).bytes_a_token,
            checkpoint.held_bytes() - 2 * 4 * 3 * 32 * 64 * 4);
  expect_keys_refused("qwen3moe_a", {{"/num_experts", 5, "mlp.gate.weight"},
                                     {"/num_experts", 7, "mlp.gate.weight"},
                                     {"/num_experts_per_tok", 7, "more than the 6 experts"},
                                     {"/moe_intermediate_size", 16, "shape"},
                                     {"/mlp_only_layers", {3}, "mlp_only_layers"},
                                     {"/mlp_only_layers", {0}, "layers.0.mlp"},
                                     {"/decoder_sparse_step", 0, "decoder_sparse_step"}});
}

TEST(Qwen35MoeFolder, HasAnExpertThatReadsEveryToken) {
  for (const char* name : {"qwen35moe_a/model", "qwen35moe_gguf/model.gguf"}) {
    const Decoder decoder = decoder_in(name);
    EXPECT_EQ(decoder.experts.count, 5) << name;
    EXPECT_EQ(decoder.experts.shared_intermediate, 24) << name;
    EXPECT_TRUE(decoder.experts.weights_sum_to_one) << name;
    EXPECT_TRUE(decoder.mixes_experts(0) && decoder.mixes_experts(3)) << name;
  }
  expect_keys_refused("qwen35moe_a", {{"/num_experts", 4, "shape"},
                                      {"/num_experts_per_tok", 6, "more than the 5 experts"},
                                      {"/moe_intermediate_size", 8, "shape"},
                                      {"/shared_expert_intermediate_size", 23, "shared_expert"},
                                      {"/shared_expert_intermediate_size", nullptr,
                                       "shared_expert_intermediate_size"},
                                      {"/rope_parameters/rope_type", "ntk", "rope_type"}});
}

// Folders have arrays of all experts' matrices, Qwen3-VL's with rows and columns exchanged.
TEST(Qwen3VlMoeFolder, HasArraysOfExperts) {
  const ModelSpec spec = read_model(std::string(FINEPRINT_TEST_DATA) + "/qwen3vlmoe_a/model");
  EXPECT_EQ(spec.family, "qwen3_vl_moe");
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_TRUE(decoder.mixes_experts(0) && !decoder.mixes_experts(1));
  const Checkpoint checkpoint(spec);
  const auto& up = *checkpoint.at("trunk", "layers.0.mlp.experts.4.up_proj.weight").view;
  EXPECT_EQ(up.shape, (std::vector<std::int64_t>{16, 48}));
  ASSERT_TRUE(up.turned);
  EXPECT_EQ(up.turned->columns, 32);
  EXPECT_EQ(up.turned->first, 16);
  EXPECT_EQ(up.turned->bytes.size(), 2U * 48 * 32);
  expect_keys_refused("qwen3vlmoe_a", {{"/text_config/num_experts", 4, "shape"},
                                       {"/text_config/num_experts", 0, "num_experts"},
                                       {"/text_config/moe_intermediate_size", 8, "shape"},
                                       {"/text_config/mlp_only_layers", {0}, "layers.0.mlp"}});
}

TEST(Lfm2Folder, HasConvolutionsAndAttention) {
  const Decoder decoder = decoder_in("lfm2_a/model");
  constexpr LayerKind kConvolution = LayerKind::short_convolution;
  EXPECT_EQ(decoder.kinds, (std::vector{kConvolution, kConvolution, kSeesAll, kConvolution}));
  EXPECT_EQ(decoder.intermediate, 64);  // two thirds of 96, which is a multiple of 16
  EXPECT_EQ(decoder.convolution.kernel, 3);
  EXPECT_EQ(decoder.rope.theta, 1e6);
  // One layer's keys and values, and two inputs of each other one.
  EXPECT_EQ(state_bytes(decoder, 100, 4), 2 * 100 * 2 * 12 * 4 + 3 * 2 * 48 * 4);
  const Decoder gguf = decoder_in("lfm2_gguf/model.gguf");
  EXPECT_EQ(gguf.kinds, decoder.kinds);
  EXPECT_EQ(gguf.convolution.kernel, 4);
  EXPECT_TRUE(gguf.convolution.bias);
  EXPECT_EQ(gguf.intermediate, 72);
  EXPECT_EQ(gguf.kv_heads, 2);
  expect_keys_refused("lfm2_a", {{"/layer_types", {"conv"}, "layer_types"},
                                 {"/layer_types/0", "linear_attention", "layer_types"},
                                 {"/conv_L_cache", 1, "conv_L_cache"},
                                 {"/conv_L_cache", 4, "shape"},
                                 {"/conv_bias", true, "bias"},
                                 {"/block_multiple_of", 0, "block_multiple_of"},
                                 {"/block_ff_dim", 1 << 20, "block_ff_dim"},
                                 {"/block_auto_adjust_ff_dim", false, "shape"},
                                 {"/tie_embedding", false, "lm_head"}});
  const CaseFolder folder("lfm2_a");
  folder.erase("config.json", "/layer_types");
  folder.set("config.json", "/full_attn_idxs", {2});
  EXPECT_EQ(std::get<Decoder>(read_model(folder.path()).trunk).kinds, decoder.kinds);
}

}  // namespace
}  // namespace fineprint::models
