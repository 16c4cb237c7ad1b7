// Gemma 3: only texts, or also images through SigLIP and pooled patches; EmbeddingGemma, whose
// tokens see both directions. Sources: Gemma Team, "Gemma 3 Technical Report" (2025), section 2;
// Vera et al., "EmbeddingGemma" (2025), section 2.1.
#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

constexpr double kTheta = 1'000'000, kWindowTheta = 10'000;  // defaults

// Reads the positions of full-attention layers: newer writers have one object for each layer kind.
Rope read_full_rope(const JsonFacts& text, int head_dim) {
  Rope rope;
  const bool by_kind = text.has("rope_parameters");
  const JsonFacts facts = by_kind ? text.object("rope_parameters").object("full_attention") : text;
  rope.theta = facts.number_or("rope_theta", 1, 1e12, kTheta);
  const JsonFacts scaling = by_kind ? facts : text.object_or_self("rope_scaling");
  const std::string type = by_kind || text.has("rope_scaling")
                               ? scaling.text("rope_type").value_or("default")
                               : "default";
  if (type == "linear") {
    rope.short_factors.assign(static_cast<std::size_t>(head_dim / 2),
                              scaling.number("factor", 1e-3, 1024));
    // Linear scaling divides all positions by one factor, whatever the length.
    rope.long_factors = rope.short_factors;
  } else if (type != "default") {
    scaling.fail("rope_type", format("is \"{}\"; default and linear are supported", type));
  }
  return rope;
}

Rope read_window_rope(const JsonFacts& text) {
  Rope rope;
  if (text.has("rope_parameters")) {
    const JsonFacts facts = text.object("rope_parameters").object("sliding_attention");
    facts.expect_text("rope_type", "default", true);
    rope.theta = facts.number_or("rope_theta", 1, 1e12, kWindowTheta);
  } else {
    rope.theta = text.number_or("rope_local_base_freq", 1, 1e12, kWindowTheta);
  }
  return rope;
}

Decoder read_gemma3_trunk(const JsonFacts& text, bool gguf) {
  text.expect_text("hidden_activation", "gelu_pytorch_tanh", true);
  text.expect_flag("attention_bias", false);
  for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    // Gemma 2 caps logits, Gemma 3 does not; a cap would change every result.
    if (text.has(cap)) text.fail(cap, "is set, which is not supported");
  }
  // transformers' defaults, because configurations leave out values that equal them.
  Decoder decoder = read_decoder(text, {.head_dim = 256,
                                        .max_positions = 131072,
                                        .norm_eps = 1e-6,
                                        .heads = 8,
                                        .kv_heads = 4,
                                        .vocab_size = 262208,
                                        .own_layers = true});
  decoder.activation = Activation::gelu_tanh;
  // The converter to GGUF has already added the 1.
  decoder.norm_plus_one = !gguf;
  decoder.qk_norm = true;
  decoder.norms_behind = true;
  decoder.embedding_scale = std::sqrt(static_cast<double>(decoder.hidden));
  decoder.attention_scale = 1 / std::sqrt(text.number_or("query_pre_attn_scalar", 1e-3, 1e6, 256));
  decoder.kinds =
      read_layer_kinds(text, decoder.layers, {"sliding_attention", LayerKind::windowed_attention},
                       {text.integer_or("sliding_window_pattern", 1, kMaxLayers, 6)});
  decoder.window = text.integer_or("sliding_window", 1, kMaxPositions, 4096);
  decoder.prompt_bidirectional = text.flag_or("use_bidirectional_attention", false);
  // The configuration of such a model gives both directions together.
  if (decoder.prompt_bidirectional) decoder.window = decoder.window / 2 + 1;
  decoder.rope = read_full_rope(text, decoder.head_dim);
  decoder.window_rope = read_window_rope(text);
  return decoder;
}

// Prefixes of published checkpoints, as written by transformers 4 and 5.
const Prefixes kGemma3Outside{"", "model."};

FixedTower read_gemma3_tower(const JsonFacts& vision) {
  vision.expect_flag("vision_use_head", false);
  return read_siglip_tower(vision);
}

// An image becomes a square of tokens, each the mean of a square of patches.
PoolConnector read_connector(const JsonFacts& config, const FixedTower& tower, int out, bool gguf) {
  const int tokens = config.integer_or("mm_tokens_per_image", 1, 1 << 16, 256);
  const int side = static_cast<int>(std::lround(std::sqrt(tokens)));
  const int patches = tower.image_size / tower.patch;
  if (side * side != tokens || patches % side != 0) {
    config.fail("mm_tokens_per_image",
                format("is {}, which is not a square to which {} x {} patches can be pooled",
                       tokens, patches, patches));
  }
  return {patches / side, tower.hidden, out, tower.norm_eps, !gguf};
}

preprocess::SquareProcessor read_gemma3_processor(FolderReader& folder, const FixedTower& tower,
                                                  int tokens) {
  const JsonFacts facts = folder.preprocessor();
  preprocess::SquareProcessor processor;
  processor.width = processor.height = tower.image_size;
  processor.tokens = tokens;
  processor.bilinear = true;
  const JsonFacts size = facts.object("size");
  // The table of positions fits only pictures of this size.
  expect_integer(size, "width", tower.image_size);
  expect_integer(size, "height", tower.image_size);
  // Pillow's number of the bilinear filter.
  expect_integer(facts, "resample", 2);
  facts.expect_flag("do_pan_and_scan", false);
  processor.norm = read_pixel_norm(facts);
  return processor;
}

std::string read_image_marker(FolderReader& folder) {
  const std::optional<JsonFacts> facts = folder.find_file("tokenizer_config.json");
  const std::optional<std::string> named = facts ? facts->text("image_token") : std::nullopt;
  return named.value_or("<image_soft_token>");
}

ModelSpec read_gemma3_seeing(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts text = config.object("text_config");
  text.expect_flag("use_bidirectional_attention", false);
  Decoder decoder = read_gemma3_trunk(text, folder.is_gguf());
  // Tokens of one image see each other; texts stay causal.
  decoder.images_bidirectional = true;
  const FixedTower tower = read_gemma3_tower(config.object("vision_config"));
  const PoolConnector connector = read_connector(config, tower, decoder.hidden, folder.is_gguf());
  ModelSpec spec = finish_llama(
      folder, decoder,
      {.prefixes = combine(kGemma3Outside, {"language_model.model.", "language_model.", ""}),
       .tied = true});
  spec.tower = tower;
  spec.connector = connector;
  const int side = tower.image_size / tower.patch / connector.pool;
  spec.processor = read_gemma3_processor(folder, tower, side * side);
  spec.prompt.image_marker = read_image_marker(folder);
  spec.prompt.image_token =
      config.integer_or("image_token_index", 0, decoder.vocab_size - 1, 262144);
  spec.prompt.image_before = "\n\n<start_of_image>";
  spec.prompt.image_after = "<end_of_image>\n\n";
  // The file of a seeing model may name end tokens at the top and not in its text part.
  if (config.has("eos_token_id")) {
    spec.generation = read_generation(folder, config, decoder.vocab_size);
  }
  const PartTensors trunk = spec.parts.front();
  spec.parts = {
      tower_tensors(tower,
                    combine(kGemma3Outside, {"vision_tower.vision_model.", "vision_tower."})),
      connector_tensors(connector, combine(kGemma3Outside, {"multi_modal_projector."})), trunk,
      head_tensors(spec.head, decoder, combine(kGemma3Outside, {"", "language_model."}))};
  return spec;
}

ModelSpec read_gemma3_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  if (config.has("vision_config")) return read_gemma3_seeing(folder);
  const Decoder decoder = read_gemma3_trunk(config, folder.is_gguf());
  // A token that sees later ones cannot be used to predict them.
  if (decoder.prompt_bidirectional && !folder.holds("modules.json")) {
    config.fail("use_bidirectional_attention",
                "is true, so that the model is an encoder, but modules.json, which says how states "
                "become vectors, is not in the folder: download the model again");
  }
  return finish_llama(folder, decoder, {.prefixes = {"model."}, .tied = true});
}

}  // namespace

Family gemma3_family() {
  return {"gemma3",
          {"Gemma3ForCausalLM", "Gemma3ForConditionalGeneration", "Gemma3TextModel"},
          read_gemma3_folder};
}

}  // namespace fineprint::models
