// Qwen3.5's dense models, with or without images: three of four layers are linear in the number of
// tokens. Sources: Qwen Team, "Qwen3.5" (2026); Yang et al., "Gated Delta Networks" (2025), section
// 3.4.
#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/families/qwen3_vl.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

DeltaRule read_delta_rule(const JsonFacts& text) {
  DeltaRule rule;
  rule.key_heads = text.integer_or("linear_num_key_heads", 1, kMaxHeads, 16);
  rule.value_heads = text.integer_or("linear_num_value_heads", 1, kMaxHeads, 32);
  rule.key_dim = text.integer_or("linear_key_head_dim", 1, 1 << 12, 128);
  rule.value_dim = text.integer_or("linear_value_head_dim", 1, 1 << 12, 128);
  rule.kernel = text.integer_or("linear_conv_kernel_dim", 2, 64, 4);
  if (rule.value_heads % rule.key_heads != 0) {
    text.fail("linear_num_key_heads", format("is {}, which does not divide the {} value heads",
                                             rule.key_heads, rule.value_heads));
  }
  return rule;
}

Rope read_partial_rope(const JsonFacts& text, int head_dim) {
  Rope rope;
  const JsonFacts facts = rope_facts(text);
  facts.expect_text("rope_type", "default", true);
  rope.theta = read_rope_theta(text);
  const JsonFacts& place = facts.has("partial_rotary_factor") ? facts : text;
  const double part = place.number_or("partial_rotary_factor", 1e-3, 1, 0.25);
  rope.width = static_cast<int>(head_dim * part);
  if (rope.width < 2 || rope.width % 2 != 0) {
    place.fail("partial_rotary_factor", "gives an odd width, which cannot be rotated");
  }
  return rope;
}

Decoder read_qwen3_5_trunk(const JsonFacts& text, bool gguf) {
  text.expect_text("hidden_act", "silu", true);
  text.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(text, {.head_dim = 256, .own_layers = true});
  decoder.kinds =
      read_layer_kinds(text, decoder.layers, {"linear_attention", LayerKind::delta_rule},
                       {text.integer_or("full_attention_interval", 1, kMaxLayers, 4)});
  decoder.delta = read_delta_rule(text);
  decoder.delta.tiled = gguf;
  // The converter to GGUF has already added the 1.
  decoder.norm_plus_one = !gguf;
  decoder.qk_norm = true;
  decoder.output_gate = true;
  decoder.rope = read_partial_rope(text, decoder.head_dim);
  return decoder;
}

// Ignores the layers that predict several tokens at a time, in folders and in GGUF files.
void ignore_extra_predictions(const FolderReader& folder, int layers, PartTensors* trunk) {
  trunk->unused.emplace_back("mtp.*");
  if (folder.is_gguf()) {
    trunk->unused.push_back(format("model.layers.{}.*", layers));
    trunk->unused.push_back(format("blk.{}.*", layers));
  }
}

// Reads a model with Qwen3-VL's tower, of one depth, and a decoder that rotates only a part of its
// heads.
ModelSpec read_qwen3_5_seeing(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts text = config.object("text_config"), vision = config.object("vision_config");
  if (!vision.integers("deepstack_visual_indexes", kMaxLayers, 0, kMaxLayers).empty()) {
    vision.fail("deepstack_visual_indexes", "is not empty, which is not supported");
  }
  Decoder decoder = read_qwen3_5_trunk(text, folder.is_gguf());
  const int width = decoder.rope.width;
  decoder.rope = read_interleaved_rope(text, width);
  decoder.rope.width = width;
  ModelSpec spec = finish_qwen3_vl(folder, config, read_qwen3_tower(vision), decoder);
  for (PartTensors& part : spec.parts) {
    if (part.part == "trunk") ignore_extra_predictions(folder, decoder.layers, &part);
  }
  return spec;
}

ModelSpec read_qwen3_5_folder(FolderReader& folder) {
  if (folder.config().has("vision_config")) return read_qwen3_5_seeing(folder);
  const JsonFacts text = folder.config().object_or_self("text_config");
  const Decoder decoder = read_qwen3_5_trunk(text, folder.is_gguf());
  ModelSpec spec = finish_llama(folder, decoder, {.prefixes = {"model.", "model.language_model."}});
  ignore_extra_predictions(folder, decoder.layers, &spec.parts.front());
  // The model takes images, but was saved without its tower's configuration.
  spec.parts.front().unused.emplace_back("model.visual.*");
  return spec;
}

}  // namespace

Family qwen3_5_family() {
  return {
      "qwen3.5", {"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"}, read_qwen3_5_folder};
}

}  // namespace fineprint::models
