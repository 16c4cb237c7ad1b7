// Folders and GGUF files of Mistral's models: what they say, and false values that are refused.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"

#include "support/case_folder.h"
#include "support/gguf_file.h"
#include "support/has.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::CaseFolder;
using testing::has;
using testing::little;
using testing::model_error;
using testing::TempDir;

ModelSpec spec_in(const std::string& name) {
  return read_model(std::string(FINEPRINT_TEST_DATA) + "/" + name);
}

TEST(Mistral3Folder, SeesThroughPixtralsTower) {
  const ModelSpec spec = spec_in("mistral3_a/model");
  const auto& tower = std::get<NativeTower>(spec.tower);
  EXPECT_TRUE(tower.alternating_frequencies && tower.norm_before && tower.gated);
  EXPECT_FALSE(tower.bias);
  EXPECT_EQ(tower.activation, Activation::silu);
  EXPECT_EQ(std::get<PatchMergeConnector>(spec.connector).merge, 2);
  EXPECT_EQ(std::get<preprocess::PatchProcessor>(spec.processor).longest_edge, 96);
  EXPECT_EQ(spec.prompt.slots, ImageSlots::in_rows);
  EXPECT_EQ(spec.prompt.chat.before_user, "[INST]");
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.window, 0);
  EXPECT_EQ(decoder.query_growth, 0.1);
  EXPECT_EQ(decoder.query_growth_every, 24);
  EXPECT_DOUBLE_EQ(decoder.rope.magnitude, 0.1 * std::log(8.0) + 1);
}

TEST(Mistral3Folder, RowsOfAnImageEndWithMarks) {
  const ModelSpec spec = spec_in("mistral3_a/model");
  const auto tokenizer = load_tokenizer(spec.tokenizer_path);
  const std::vector<preprocess::PixelInput> images{
      preprocess::plan_pixels(spec.processor, 40, 20)};  // three tokens in each of two rows
  const TokenSequence tokens = tokenize(spec.prompt, *tokenizer, "[IMG]", images);
  EXPECT_EQ(tokens.ids, (std::vector<std::int64_t>{912, 912, 912, 909, 912, 912, 912, 910}));
  EXPECT_EQ(tokens.is_image, (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 1, 0}));
  // Two larger sides, of which one is over the edge.
  const auto shrunk = preprocess::plan_pixels(spec.processor, 192, 100);
  EXPECT_EQ(shrunk.width, 96);
  EXPECT_EQ(shrunk.height, 64);  // half of 100, enlarged to a multiple of 16
}

TEST(Mistral3Folder, FalseValuesAreNamed) {
  const std::tuple<const char*, const char*, Json, const char*> damages[] = {
      {"config.json", "/spatial_merge_size", 0, "spatial_merge_size"},
      {"config.json", "/spatial_merge_size", 3, "spatial_merge_size"},
      {"config.json", "/vision_feature_layer", -2, "vision_feature_layer"},
      {"config.json", "/vision_feature_layer", {-1, -2}, "vision_feature_layer"},
      {"config.json", "/projector_hidden_act", "relu", "projector_hidden_act"},
      {"config.json", "/multimodal_projector_bias", true, "linear_1.bias"},
      {"config.json", "/image_token_index", 960, "image_token_index"},
      {"config.json", "/vision_config/hidden_act", "relu", "hidden_act"},
      {"config.json", "/vision_config/num_attention_heads", 16, "num_attention_heads"},
      {"config.json", "/vision_config/num_attention_heads", 3, "num_attention_heads"},
      {"config.json", "/vision_config/num_hidden_layers", 3, "blocks.2."},
      {"config.json", "/vision_config/head_dim", 8, "head_dim"},
      {"config.json", "/vision_config/patch_size", 7, "patch_size"},
      {"config.json", "/text_config/rope_parameters/rope_type", "ntk", "rope_type"},
      {"config.json", "/text_config/rope_parameters/llama_4_scaling_beta", -1,
       "llama_4_scaling_beta"},
      {"config.json", "/text_config/rope_parameters/original_max_position_embeddings", 0,
       "original_max_position_embeddings"},
      {"config.json", "/text_config/sliding_window", 0, "sliding_window"},
      {"preprocessor_config.json", "/size/longest_edge", 0, "longest_edge"},
      {"preprocessor_config.json", "/resample", 1, "resample"},
      {"processor_config.json", "/patch_size", 16, "patch_size"},
  };
  for (const auto& [file, key, value, told] : damages) {
    const CaseFolder folder("mistral3_a");
    folder.set(file, key, value);
    const std::string error =
        model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
    EXPECT_TRUE(has(error, told)) << key << ": " << error;
  }
}

// The first class of configurations has a window unless the file says that it has none.
TEST(Mistral3Folder, OldConfigurationsHaveAWindow) {
  const CaseFolder folder("mistral3_a");
  folder.set("config.json", "/text_config/model_type", "mistral");
  folder.set("config.json", "/text_config/max_position_embeddings", 8192);
  const auto window = [&] { return std::get<Decoder>(read_model(folder.path()).trunk).window; };
  EXPECT_EQ(window(), 0);  // null
  folder.erase("config.json", "/text_config/sliding_window");
  EXPECT_EQ(window(), 4096);
  folder.set("config.json", "/text_config/sliding_window", 24);
  EXPECT_EQ(window(), 24);
}

// The two files, of which either can be changed.
class MistralPair {
 public:
  MistralPair()
      : model_(read_file(FINEPRINT_TEST_DATA "/mistral3_gguf/model.gguf")),
        tower_(read_file(FINEPRINT_TEST_DATA "/mistral3_gguf/mmproj-model.gguf")) {}

  // Sets the bytes of a value.
  MistralPair& set(const std::string& key, const std::string& bytes) {
    std::string& file = model_.find(testing::gguf_text(key)) != std::string::npos ? model_ : tower_;
    const std::size_t at = file.find(testing::gguf_text(key));
    EXPECT_NE(at, std::string::npos) << key;
    file.replace(at + 8 + key.size() + 4, bytes.size(), bytes);
    return *this;
  }
  MistralPair& set(const std::string& key, std::uint32_t value) {
    return set(key, little(value, 4));
  }
  MistralPair& set(const std::string& key, float value) {
    return set(key, std::bit_cast<std::uint32_t>(value));
  }
  // Takes a key or a tensor away by giving it a name that nobody asks for.
  MistralPair& hide(const std::string& name) {
    std::string& file =
        model_.find(testing::gguf_text(name)) != std::string::npos ? model_ : tower_;
    const std::size_t at = file.find(testing::gguf_text(name));
    EXPECT_NE(at, std::string::npos) << name;
    file[at + 8 + name.size() - 1] = '~';
    return *this;
  }
  std::string error() const {
    const TempDir dir;
    const std::string path = dir.write("model.gguf", model_);
    dir.write("mmproj.gguf", tower_);
    return model_error([&] { Checkpoint(read_model(path)).check_finite(1); });
  }

 private:
  std::string model_, tower_;
};

TEST(Mistral3Gguf, SaysWhatAFolderSays) {
  const ModelSpec spec = spec_in("mistral3_gguf/model.gguf");
  EXPECT_EQ(spec.family, "mistral3");
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.query_growth, 0.1);
  EXPECT_DOUBLE_EQ(decoder.rope.magnitude, (0.1 * std::log(4.0) + 1) / (0.05 * std::log(4.0) + 1));
  EXPECT_EQ(std::get<NativeTower>(spec.tower).activation, Activation::gelu);
  EXPECT_EQ(spec.prompt.image_token, 912);
  // Without its tower it reads texts.
  const TempDir dir;
  const ModelSpec blind = read_model(
      dir.write("model.gguf", read_file(FINEPRINT_TEST_DATA "/mistral3_gguf/model.gguf")));
  EXPECT_FALSE(blind.sees());
  EXPECT_NO_THROW(Checkpoint(blind).check_finite(1));
}

TEST(Mistral3Gguf, FalseValuesAreNamed) {
  const auto pair = [] { return MistralPair(); };
  EXPECT_EQ(pair().error(), "no error");
  const std::string scaling = "mistral3.rope.scaling.";
  const std::pair<std::string, const char*> errors[] = {
      {pair().set(scaling + "factor", 0.0F).error(), "factor"},
      {pair().set(scaling + "yarn_beta_fast", 0.0F).error(), "beta_fast"},
      {pair().set(scaling + "original_context_length", 0U).error(), "original_max_position"},
      {pair().hide(scaling + "original_context_length").error(), "original_context_length"},
      {pair().hide(scaling + "factor").error(), "rope.scaling.factor"},
      {pair().set("mistral3.attention.temperature_scale", -1.0F).error(), "llama_4_scaling_beta"},
      {pair().set("clip.vision.spatial_merge_size", 0U).error(), "spatial_merge_size"},
      {pair().set("clip.vision.spatial_merge_size", 3U).error(), "shape"},
      {pair().hide("clip.vision.spatial_merge_size").error(), "spatial_merge_size"},
      {pair().set("clip.vision.block_count", 3U).error(), "blocks.2."},
      {pair().set("clip.vision.patch_size", 7U).error(), "shape"},
      {pair().set("clip.vision.image_size", 0U).error(), "longest_edge"},
      {pair().set("clip.use_gelu", std::string(1, '\0')).error(), "use_gelu"},
      {pair().hide("mm.patch_merger.weight").error(), "mm.patch_merger.weight"},
      {pair().hide("mm.2.weight").error(), "linear_2"},
      {pair().hide("mm.input_norm.weight").error(), "norm.weight"},
      {pair().hide("v.blk.1.attn_k.weight").error(), "attn.k."},
      {pair().hide("v.pre_ln.weight").error(), "pre_norm"},
  };
  for (const auto& [error, told] : errors) EXPECT_TRUE(has(error, told)) << told << ": " << error;
}

}  // namespace
}  // namespace fineprint::models
