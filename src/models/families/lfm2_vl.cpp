// LFM2-VL: SigLIP 2's tower over tiles and the whole image at their own sizes, pixel unshuffle, and
// LFM2. Sources: Liquid AI, "LFM2 Technical Report" (2025), on LFM2-VL; the reference's processor.
#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/lfm2.h"
#include "models/families/llama.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// Prefixes of published checkpoints, as written by transformers and by the first repositories.
const Prefixes kLfm2VlOutside{"model.", ""};
const Prefixes kLfm2VlTrunk{"model.language_model.", "language_model.model.", "model."};

FlexibleTower read_flexible_tower(const JsonFacts& vision, bool gguf) {
  vision.expect_text("model_type", "siglip2_vision_model", true);
  vision.expect_text("hidden_act", "gelu_pytorch_tanh", true);
  expect_integer(vision, "num_channels", 3);
  FlexibleTower tower;
  // transformers' defaults, because configurations leave out values that equal them.
  tower.layers = vision.integer_or("num_hidden_layers", 1, kMaxLayers, 12);
  tower.hidden = vision.integer_or("hidden_size", 1, kMaxWidth, 768);
  tower.heads = vision.integer_or("num_attention_heads", 1, kMaxHeads, 12);
  check_heads(vision, "num_attention_heads", tower.heads, tower.hidden);
  tower.intermediate = vision.integer_or("intermediate_size", 1, kMaxInner, 3072);
  tower.patch = vision.integer_or("patch_size", 1, 1 << 10, 16);
  const int positions = vision.integer_or("num_patches", 1, 1 << 20, 256);
  tower.position_side = static_cast<int>(std::lround(std::sqrt(positions)));
  if (tower.position_side * tower.position_side != positions) {
    vision.fail("num_patches", format("is {}, which is not a square number", positions));
  }
  tower.norm_eps = vision.number_or("layer_norm_eps", 0, 0.1, 1e-6);
  tower.patch_planes = gguf;
  return tower;
}

UnshuffleConnector read_unshuffle(const JsonFacts& config, const FlexibleTower& tower, int out) {
  config.expect_text("projector_hidden_act", "gelu", true);
  if (config.has("vision_feature_layer")) expect_integer(config, "vision_feature_layer", -1);
  UnshuffleConnector connector;
  connector.merge = config.integer_or("downsample_factor", 1, 64, 2);
  connector.in = tower.hidden;
  connector.inner = config.integer_or("projector_hidden_size", 1, kMaxInner, 2560);
  connector.out = out;
  connector.norm = config.flag_or("projector_use_layernorm", true);
  connector.bias = config.flag_or("projector_bias", true);
  return connector;
}

preprocess::GridProcessor read_grid_processor(FolderReader& folder, const FlexibleTower& tower,
                                              int merge) {
  constexpr int kMost = 1 << 20;
  const JsonFacts facts = folder.preprocessor();
  preprocess::GridProcessor processor;
  expect_integer(facts, "encoder_patch_size", tower.patch);
  expect_integer(facts, "downsample_factor", merge);
  // Pillow's number of the bilinear filter.
  expect_integer(facts, "resample", 2);
  processor.patch = tower.patch;
  processor.merge = merge;
  processor.max_tokens = facts.integer_or("max_image_tokens", 1, kMost, 256);
  processor.min_tokens = facts.integer_or("min_image_tokens", 1, processor.max_tokens, 64);
  processor.tile = facts.integer_or("tile_size", 1, 1 << 13, 512);
  processor.max_tiles = facts.integer_or("max_tiles", 1, 256, 10);
  processor.min_tiles = facts.integer_or("min_tiles", 1, processor.max_tiles, 2);
  processor.tolerance = facts.number_or("max_pixels_tolerance", 0.01, 1e4, 2);
  processor.whole = facts.flag_or("use_thumbnail", true);
  processor.split = facts.flag_or("do_image_splitting", true) && processor.max_tiles > 1;
  if (processor.split && processor.min_tiles == 1) {
    facts.fail("min_tiles", format("is 1 and max_tiles is {}; grids of one tile are supported only "
                                   "if both are 1",
                                   processor.max_tiles));
  }
  if (processor.split && processor.tile % (tower.patch * merge) != 0) {
    facts.fail("tile_size", format("is {}, which is no multiple of {} pixels, the side of a token",
                                   processor.tile, tower.patch * merge));
  }
  processor.norm = read_pixel_norm(facts);
  if (const auto file = folder.find_file("processor_config.json")) {
    file->expect_flag("use_image_special_tokens", true);
  }
  return processor;
}

void set_lfm2_vl_prompt(const JsonFacts& config, const Decoder& decoder, int merge,
                        Prompt* prompt) {
  prompt->slots = ImageSlots::tiled;
  prompt->image_marker = "<image>";
  const std::string key = config.has("image_token_index") ? "image_token_index" : "image_token_id";
  prompt->image_token = config.with_defaults({{key, 396}}).integer(key, 0, decoder.vocab_size - 1);
  prompt->merge = merge;
  prompt->tile_marks = {.edge = "",
                        .tile = "<|img_row_{r}_col_{c}|>",
                        .whole = "<|img_thumbnail|>",
                        .row_end = "",
                        .begin = "<|image_start|>",
                        .end = "<|image_end|>",
                        .bare_alone = true};
}

ModelSpec read_lfm2_vl_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts text = config.object("text_config");
  text.expect_text("model_type", "lfm2", true);
  const Decoder decoder = read_lfm2_trunk(text, folder.is_gguf());
  const FlexibleTower tower = read_flexible_tower(config.object("vision_config"), folder.is_gguf());
  const UnshuffleConnector connector = read_unshuffle(config, tower, decoder.hidden);
  const bool tied = config.flag_or("tie_embedding", text.flag_or("tie_embedding", true));
  ModelSpec spec = finish_llama(folder, decoder, {.prefixes = kLfm2VlTrunk, .tied = tied});
  spec.tower = tower;
  spec.connector = connector;
  spec.processor = read_grid_processor(folder, tower, connector.merge);
  set_lfm2_vl_prompt(config, decoder, connector.merge, &spec.prompt);
  if (config.has("eos_token_id")) {
    spec.generation = read_generation(folder, config, decoder.vocab_size);
  }
  PartTensors trunk = spec.parts.front();
  name_as_lfm2(&trunk);
  spec.parts = {
      tower_tensors(tower,
                    combine(kLfm2VlOutside, {"vision_tower.vision_model.", "vision_tower."})),
      connector_tensors(connector, combine(kLfm2VlOutside, {"multi_modal_projector."})), trunk,
      head_tensors(spec.head, decoder, combine(kLfm2VlOutside, {"", "language_model."}))};
  return spec;
}

}  // namespace

Family lfm2_vl_family() {
  return {"lfm2_vl", {"Lfm2VlForConditionalGeneration"}, read_lfm2_vl_folder};
}

}  // namespace fineprint::models
