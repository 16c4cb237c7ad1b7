// Folders and GGUF files of LFM2-VL: what they say, and false values that are refused.
#include <bit>

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

ModelSpec lfm2_vl_spec(const std::string& name) {
  return read_model(std::string(FINEPRINT_TEST_DATA) + "/" + name);
}

TEST(Lfm2VlFolder, SeesViewsOfTheirOwnSizes) {
  const ModelSpec spec = lfm2_vl_spec("lfm2vl_a/model");
  EXPECT_EQ(spec.family, "lfm2_vl");
  const auto& tower = std::get<FlexibleTower>(spec.tower);
  EXPECT_EQ(tower.position_side, 6);
  EXPECT_FALSE(tower.patch_planes);
  const auto& connector = std::get<UnshuffleConnector>(spec.connector);
  EXPECT_EQ(connector.inner, 40);
  EXPECT_TRUE(connector.norm && connector.bias);
  const auto& processor = std::get<preprocess::GridProcessor>(spec.processor);
  EXPECT_EQ(processor.tile, 32);
  EXPECT_EQ(processor.max_tiles, 6);
  EXPECT_TRUE(spec.head.tied);
  EXPECT_EQ(spec.generation.end_tokens, (std::vector<std::int64_t>{902}));
  EXPECT_EQ(std::get<Decoder>(spec.trunk).kind(0), LayerKind::short_convolution);
}

TEST(Lfm2VlFolder, TilesComeWithTheirPlaces) {
  const ModelSpec spec = lfm2_vl_spec("lfm2vl_a/model");
  const auto tokenizer = load_tokenizer(spec.tokenizer_path);
  // Two tiles of 2 x 2 tokens, then 7 x 3 tokens.
  const std::vector<preprocess::PixelInput> images{
      preprocess::plan_pixels(spec.processor, 260, 140)};
  const TokenSequence tokens = tokenize(spec.prompt, *tokenizer, "<image>", images);
  std::vector<std::int64_t> expected{909, 922, 912, 912, 912, 912, 923, 912, 912, 912, 912, 911};
  const auto& whole = images[0].views.back();
  expected.insert(expected.end(), static_cast<std::size_t>(whole[0] * whole[1] / 4), 912);
  expected.push_back(910);
  EXPECT_EQ(tokens.ids, expected);
}

TEST(Lfm2VlFolder, FalseValuesAreNamed) {
  const std::tuple<const char*, const char*, Json, const char*> damages[] = {
      {"config.json", "/downsample_factor", 0, "downsample_factor"},
      {"config.json", "/downsample_factor", 4, "downsample_factor"},
      {"config.json", "/vision_feature_layer", -2, "vision_feature_layer"},
      {"config.json", "/projector_hidden_act", "relu", "projector_hidden_act"},
      {"config.json", "/projector_hidden_size", 41, "linear_1"},
      {"config.json", "/projector_hidden_size", 0, "projector_hidden_size"},
      {"config.json", "/projector_use_layernorm", false, "layer_norm"},
      {"config.json", "/projector_bias", false, "linear_1.bias"},
      {"config.json", "/image_token_id", 960, "image_token_id"},
      {"config.json", "/image_token_id", -1, "image_token_id"},
      {"config.json", "/vision_config/hidden_act", "relu", "hidden_act"},
      {"config.json", "/vision_config/model_type", "siglip_vision_model", "model_type"},
      {"config.json", "/vision_config/num_attention_heads", 3, "num_attention_heads"},
      {"config.json", "/vision_config/num_channels", 1, "num_channels"},
      {"config.json", "/vision_config/num_hidden_layers", 3, "layers.2."},
      {"config.json", "/vision_config/num_patches", 35, "num_patches"},
      {"config.json", "/vision_config/num_patches", 49, "position_embedding"},
      {"config.json", "/vision_config/patch_size", 16, "encoder_patch_size"},
      {"config.json", "/text_config/model_type", "lfm2_moe", "model_type"},
      {"config.json", "/text_config/conv_L_cache", 4, "conv.conv.weight"},
      {"preprocessor_config.json", "/encoder_patch_size", 16, "encoder_patch_size"},
      {"preprocessor_config.json", "/downsample_factor", 1, "downsample_factor"},
      {"preprocessor_config.json", "/resample", 3, "resample"},
      {"preprocessor_config.json", "/tile_size", 40, "tile_size"},
      {"preprocessor_config.json", "/min_tiles", 1, "min_tiles"},
      {"preprocessor_config.json", "/min_tiles", 7, "min_tiles"},
      {"preprocessor_config.json", "/max_tiles", 1000, "max_tiles"},
      {"preprocessor_config.json", "/min_image_tokens", 33, "min_image_tokens"},
      {"preprocessor_config.json", "/max_image_tokens", 0, "max_image_tokens"},
      {"preprocessor_config.json", "/max_pixels_tolerance", 0, "max_pixels_tolerance"},
      {"preprocessor_config.json", "/do_normalize", false, "do_normalize"},
  };
  for (const auto& [file, key, value, named] : damages) {
    const CaseFolder folder("lfm2vl_a");
    folder.set(file, key, value);
    const std::string error =
        model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
    EXPECT_TRUE(has(error, named)) << key << ": " << error;
  }
}

// Published folders differ in where they say some things, and leave others out.
TEST(Lfm2VlFolder, OtherLayoutsSayTheSame) {
  const CaseFolder folder("lfm2vl_a");
  folder.erase("config.json", "/image_token_id");
  folder.set("config.json", "/image_token_index", 913);
  EXPECT_EQ(read_model(folder.path()).prompt.image_token, 913);
  folder.set("preprocessor_config.json", "/max_tiles", 1);
  folder.set("preprocessor_config.json", "/min_tiles", 1);
  folder.set("preprocessor_config.json", "/use_thumbnail", false);
  const ModelSpec spec = read_model(folder.path());
  const auto processor = std::get<preprocess::GridProcessor>(spec.processor);
  EXPECT_FALSE(processor.split || processor.whole);
  for (const char* key : {"/max_tiles", "/min_tiles", "/tile_size", "/max_image_tokens"}) {
    folder.erase("preprocessor_config.json", key);
  }
  const ModelSpec standard = read_model(folder.path());
  const auto usual = std::get<preprocess::GridProcessor>(standard.processor);
  EXPECT_TRUE(usual.split);
  EXPECT_EQ(usual.tile, 512);
  EXPECT_EQ(usual.max_tokens, 256);
}

// The two files, of which either can be changed.
class Lfm2Pair {
 public:
  Lfm2Pair()
      : model_(read_file(FINEPRINT_TEST_DATA "/lfm2vl_gguf/model.gguf")),
        tower_(read_file(FINEPRINT_TEST_DATA "/lfm2vl_gguf/mmproj-model.gguf")) {}

  // Sets the bytes of a value.
  Lfm2Pair& set(const std::string& key, const std::string& bytes, std::size_t skipped = 0) {
    tower_.replace(place_of(key, tower_) + key.size() + 4 + skipped, bytes.size(), bytes);
    return *this;
  }
  Lfm2Pair& set(const std::string& key, std::uint32_t value) { return set(key, little(value, 4)); }
  // Takes a key, a tensor or a token away by giving it a name that nobody asks for.
  Lfm2Pair& hide(const std::string& name) {
    std::string& file =
        model_.find(testing::gguf_text(name)) != std::string::npos ? model_ : tower_;
    file[place_of(name, file) + name.size() - 1] = '~';
    return *this;
  }
  std::string error() const {
    const TempDir dir;
    const std::string path = dir.write("model.gguf", model_);
    dir.write("mmproj.gguf", tower_);
    return model_error([&] { Checkpoint(read_model(path)).check_finite(1); });
  }

 private:
  static std::size_t place_of(const std::string& name, const std::string& file) {
    const std::size_t at = file.find(testing::gguf_text(name));
    EXPECT_NE(at, std::string::npos) << name;
    return at + 8;
  }

  std::string model_, tower_;
};

TEST(Lfm2VlGguf, SaysWhatAFolderSays) {
  const ModelSpec spec = lfm2_vl_spec("lfm2vl_gguf/model.gguf");
  EXPECT_EQ(spec.family, "lfm2_vl");
  const auto& tower = std::get<FlexibleTower>(spec.tower);
  EXPECT_EQ(tower.position_side, 6);
  EXPECT_TRUE(tower.patch_planes);
  EXPECT_FALSE(std::get<UnshuffleConnector>(spec.connector).norm);
  EXPECT_EQ(spec.prompt.image_token, 912);
  // What such files do not say.
  const auto& processor = std::get<preprocess::GridProcessor>(spec.processor);
  EXPECT_EQ(processor.tile, 512);
  EXPECT_EQ(processor.min_tokens, 64);
  // Without its tower it reads texts.
  const TempDir dir;
  const ModelSpec blind =
      read_model(dir.write("model.gguf", read_file(FINEPRINT_TEST_DATA "/lfm2vl_gguf/model.gguf")));
  EXPECT_FALSE(blind.sees());
  EXPECT_EQ(blind.family, "lfm2");
  EXPECT_NO_THROW(Checkpoint(blind).check_finite(1));
}

TEST(Lfm2VlGguf, FalseValuesAreNamed) {
  const auto pair = [] { return Lfm2Pair(); };
  EXPECT_EQ(pair().error(), "no error");
  const std::pair<std::string, const char*> errors[] = {
      {pair().set("clip.vision.projector.scale_factor", 0U).error(), "downsample_factor"},
      {pair().set("clip.vision.projector.scale_factor", 4U).error(), "shape"},
      {pair().hide("clip.vision.projector.scale_factor").error(), "scale_factor"},
      {pair().set("clip.vision.image_resize_algo", "B", 8).error(), "only bilinear"},
      {pair().set("clip.vision.block_count", 3U).error(), "layers.2."},
      {pair().set("clip.vision.patch_size", 4U).error(), "shape"},
      {pair().set("clip.vision.patch_size", 7U).error(), "tile_size"},
      {pair().set("clip.vision.attention.head_count", 3U).error(), "num_attention_heads"},
      {pair().set("clip.use_gelu", std::string(1, '\0')).error(), "use_gelu"},
      {pair().hide("<image>").error(), "<image>"},
      {pair().hide("mm.1.weight").error(), "mm.1.weight"},
      {pair().hide("mm.1.bias").error(), "belongs to no part"},
      {pair().hide("mm.2.weight").error(), "linear_2"},
      {pair().hide("v.position_embd.weight").error(), "v.position_embd.weight"},
      {pair().hide("v.post_ln.weight").error(), "post_layernorm"},
      {pair().hide("v.patch_embd.weight").error(), "patch_embedding"},
      {pair().hide("v.blk.1.attn_k.weight").error(), "k_proj"},
  };
  for (const auto& [error, named] : errors) {
    EXPECT_TRUE(has(error, named)) << named << ": " << error;
  }
}

}  // namespace
}  // namespace fineprint::models
