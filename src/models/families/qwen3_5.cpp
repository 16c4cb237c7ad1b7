// Qwen3.5's dense models, texts alone: of four layers three are linear in the number of tokens.
// Sources: Qwen Team, "Qwen3.5" (2026); Yang et al., "Gated Delta Networks" (2025), section 3.4.
#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
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

Decoder read_trunk(const JsonFacts& text, bool gguf) {
  text.expect_text("hidden_act", "silu", true);
  text.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(text, {.head_dim = 256, .own_layers = true});
  decoder.kinds =
      read_layer_kinds(text, decoder.layers, {"linear_attention", LayerKind::delta_rule},
                       text.integer_or("full_attention_interval", 1, kMaxLayers, 4));
  decoder.delta = read_delta_rule(text);
  decoder.delta.tiled = gguf;
  // In GGUF files the 1 has been added.
  decoder.norm_plus_one = !gguf;
  decoder.qk_norm = true;
  decoder.output_gate = true;
  decoder.rope = read_partial_rope(text, decoder.head_dim);
  return decoder;
}

ModelSpec read_folder(FolderReader& folder) {
  // Models that see images are read, too, but not yet their tower: they get texts alone.
  const JsonFacts text = folder.config().object_or_self("text_config");
  const Decoder decoder = read_trunk(text, folder.is_gguf());
  ModelSpec spec = finish_llama(folder, decoder, {.prefixes = {"model.", "model.language_model."}});
  // The tower, and what guesses several tokens at a time.
  for (const char* name : {"model.visual.*", "mtp.*"}) {
    spec.parts.front().unused.emplace_back(name);
  }
  if (folder.is_gguf()) {
    spec.parts.front().unused.push_back(format("model.layers.{}.*", decoder.layers));
    spec.parts.front().unused.push_back(format("blk.{}.*", decoder.layers));
  }
  return spec;
}

}  // namespace

Family qwen3_5_family() {
  return {"qwen3.5", {"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"}, read_folder};
}

}  // namespace fineprint::models
