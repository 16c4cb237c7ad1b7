// Qwen3.5, dense or with mixtures of experts, with or without images: three of four layers are
// linear in the number of tokens. Sources: Qwen Team, "Qwen3.5" (2026); Yang et al., "Gated Delta
// Networks" (2025), section 3.4.
#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/families/qwen3.h"
#include "models/families/qwen3_vl.h"
#include "models/parts.h"
#include "models/rope_scaling.h"

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
  const JsonFacts facts = rope_facts(text);
  const JsonFacts& place = facts.has("partial_rotary_factor") ? facts : text;
  const double part = place.number_or("partial_rotary_factor", 1e-3, 1, 0.25);
  const int width = static_cast<int>(head_dim * part);
  if (width < 2 || width % 2 != 0) {
    place.fail("partial_rotary_factor", "gives an odd width, which cannot be rotated");
  }
  Rope rope = read_scaled_rope(text, width);
  rope.width = width;
  return rope;
}

// Reads the experts of every layer.
Experts read_qwen3_5_experts(const JsonFacts& text, int layers, bool gguf) {
  Experts experts = read_qwen3_experts(text, layers);
  experts.weights_sum_to_one = true;
  experts.shared_intermediate = text.integer("shared_expert_intermediate_size", 1, kMaxInner);
  experts.flat_gate = gguf;
  experts.store = ExpertStore::arrays;
  return experts;
}

Decoder read_qwen3_5_trunk(const JsonFacts& config, bool gguf) {
  const bool mixes = config.has("num_experts");
  // No layer has a feed-forward network of its own if all have experts.
  const JsonFacts text = mixes ? config.with_defaults({{"intermediate_size", 1}}) : config;
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
  if (mixes) decoder.experts = read_qwen3_5_experts(text, decoder.layers, gguf);
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
  return {"qwen3.5",
          {"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration", "Qwen3_5MoeForCausalLM",
           "Qwen3_5MoeForConditionalGeneration"},
          read_qwen3_5_folder};
}

}  // namespace fineprint::models
