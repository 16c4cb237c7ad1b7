// Phi-3, Phi-3.5 and Phi-4, texts only. Source: Abdin et al., "Phi-3 Technical Report" (2024),
// section 2; "Phi-4-Mini Technical Report" (2025), section 2.1.
#include "models/families/phi3.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/rope_scaling.h"

namespace fineprint::models {

Rope read_phi3_rope(const JsonFacts& config, const Decoder& decoder) {
  const double share = config.number_or("partial_rotary_factor", 0, 1, 1);
  const int width = static_cast<int>(decoder.head_dim * share) / 2 * 2;
  if (width < 2) config.fail("partial_rotary_factor", "leaves no pair of values to rotate");
  Rope rope = read_scaled_rope(config, width);
  if (width < decoder.head_dim) rope.width = width;
  return rope;
}

namespace {

Decoder read_phi3_trunk(const JsonFacts& config) {
  config.expect_text("hidden_act", "silu", true);
  config.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(config, {.own_layers = true});
  decoder.fused = true;
  decoder.rope = read_phi3_rope(config, decoder);
  const int window = config.integer_or("sliding_window", 1, kMaxPositions, kMaxPositions);
  // A window as long as all positions has no effect.
  if (window < decoder.max_positions) {
    decoder.kinds.assign(static_cast<std::size_t>(decoder.layers), LayerKind::windowed_attention);
    decoder.window = window;
    decoder.window_rope = decoder.rope;
  }
  return decoder;
}

ModelSpec read_phi3_folder(FolderReader& folder) {
  ModelSpec spec = finish_llama(folder, read_phi3_trunk(folder.config()));
  // GGUF files store the factors of the positions as tensors.
  spec.parts.front().unused = {"rope_factors_long.weight", "rope_factors_short.weight"};
  return spec;
}

}  // namespace

Family phi3_family() { return {"phi3", {"Phi3ForCausalLM"}, read_phi3_folder}; }

}  // namespace fineprint::models
