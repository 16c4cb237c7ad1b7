// Phi-3-vision and Phi-3.5-vision. Source: Abdin et al., "Phi-3 Technical Report" (2024),
// section 6.
#include "fineprint/core/format.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/phi3.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

constexpr const char* kEndOfText = "<|endoftext|>";
// As a retriever it was trained on pages stretched to squares of this side. Source: Tanaka et al.,
// "VDocRAG" (2025), and its code.
constexpr int kPageSide = 1344;

Decoder read_phi3_v_trunk(const JsonFacts& config) {
  config.expect_text("hidden_act", "silu", true);
  config.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(config);
  decoder.fused = true;
  decoder.rope = read_phi3_rope(config, decoder);
  return decoder;
}

// The tower ends with the last layer but one of CLIP: ViT-L/14-336 unless the configuration gives
// other sizes.
FixedTower read_phi3_v_tower(const JsonFacts& config) {
  const JsonFacts facts = config.object("img_processor");
  facts.expect_text("name", "clip_vision_model", false);
  FixedTower clip;
  clip.layers = 24;
  clip.hidden = 1024;
  clip.heads = 16;
  clip.intermediate = 4096;
  clip.image_size = 336;
  clip.class_token = clip.norm_before = true;
  clip.activation = Activation::quick_gelu;
  clip.norm_eps = 1e-5;
  FixedTower tower = clip;
  if (facts.has("clip_config")) {
    const JsonFacts sizes = facts.object("clip_config");
    sizes.expect_text("hidden_act", "quick_gelu", true);
    tower = read_fixed_tower(sizes, clip);
    if (tower.layers < 2)
      sizes.fail("num_hidden_layers",
                 "is 1, but the last layer is left out, so that none would remain");
    if (tower.image_size / tower.patch % 2 != 0) {
      sizes.fail("image_size", "gives an odd number of patches, which cannot be merged");
    }
  }
  tower.used_layers = tower.layers - 1;
  expect_integer(facts, "image_dim_out", tower.hidden);
  return tower;
}

void check_connector(const JsonFacts& config) {
  const JsonFacts facts = config.object("embd_layer");
  facts.expect_text("embedding_cls", "image", true);
  facts.expect_text("hd_transform_order", "sub_glb", false);
  facts.expect_text("projection_cls", "mlp", false);
  for (const std::string flag : {"use_hd_transform", "with_learnable_separator"}) {
    if (!facts.flag_or(flag, false)) facts.fail(flag, "is not true, which is not supported");
  }
}

preprocess::TileProcessor read_phi3_v_processor(FolderReader& folder, const FixedTower& tower,
                                                int merge) {
  const JsonFacts facts = folder.preprocessor();
  preprocess::TileProcessor processor;
  const int side = tower.image_size / tower.patch / merge;
  processor.tile = tower.image_size;
  processor.tile_tokens = side * side;
  processor.max_tiles = facts.integer("num_crops", 1, 256);
  expect_integer(facts, "num_img_tokens", processor.tile_tokens);
  processor.norm = read_pixel_norm(facts);
  return processor;
}

Prompt make_prompt(std::int64_t end_of_text) {
  Prompt prompt;
  prompt.slots = ImageSlots::numbered;
  prompt.image_marker = "<|image_{n}|>";
  prompt.image_after = "\n";
  prompt.add_special = true;
  prompt.chat.before_system = "<|system|>\n";
  prompt.chat.before_user = "<|user|>\n";
  prompt.chat.before_assistant = "<|assistant|>\n";
  prompt.chat.after_system = prompt.chat.after_user = prompt.chat.after_assistant = "<|end|>\n";
  // As a retriever: the last token of what it was trained on. Source: Tanaka et al., "VDocRAG"
  // (2025), section 4.1.
  prompt.page_text = "{image}What is shown in this image?";
  prompt.embedding_suffix = {end_of_text};
  return prompt;
}

// Returns the token that ends a text to embed; its id is only in the tokenizer.
std::int64_t end_of_text_id(FolderReader& folder, const Decoder& decoder) {
  const std::string path = folder.tokenizer();
  const std::int64_t id = tokenizer::Tokenizer::load(path)->id_of(kEndOfText);
  if (id < 0 || id >= decoder.vocab_size) {
    folder.config().fail("vocab_size", format("leaves no room for the token {} of {}, or there is "
                                              "no such token",
                                              kEndOfText, path));
  }
  return id;
}

ModelSpec read_phi3_v_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const Decoder decoder = read_phi3_v_trunk(config);
  const FixedTower tower = read_phi3_v_tower(config);
  check_connector(config);
  const TileConnector connector{2, tower.hidden, decoder.hidden};
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = decoder;
  spec.head.generates = true;
  spec.head.tied = read_tied(config, config, false);
  spec.processor = read_phi3_v_processor(folder, tower, connector.merge);
  spec.raster.stretch_to = kPageSide;
  spec.generation = read_generation(folder, config, decoder.vocab_size);
  spec.prompt = make_prompt(end_of_text_id(folder, decoder));
  const std::string vision = "model.vision_embed_tokens.";
  PartTensors trunk = trunk_tensors(decoder, {"model."});
  // Some checkpoints have the embeddings twice, or only under this name.
  trunk.tensors.front().alternative = "vision_embed_tokens.wte.weight";
  spec.parts = {
      tower_tensors(tower, {vision + "img_processor.vision_model.", vision + "img_processor."}),
      connector_tensors(connector, {vision}), trunk, head_tensors(spec.head, decoder, {""})};
  return spec;
}

}  // namespace

Family phi3_v_family() { return {"phi3_v", {"Phi3VForCausalLM"}, read_phi3_v_folder}; }

}  // namespace fineprint::models
