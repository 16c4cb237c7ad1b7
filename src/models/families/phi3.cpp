// Phi-3, Phi-3.5 and Phi-4, texts only. Source: Abdin et al., "Phi-3 Technical Report" (2024),
// section 2; "Phi-4-Mini Technical Report" (2025), section 2.1.
#include "models/families/phi3.h"

#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"

namespace fineprint::models {

// Reads positions with two sets of factors. Source: Ding et al., "LongRoPE" (2024); the magnitude
// follows the "su" type of the reference.
Rope read_phi3_rope(const JsonFacts& config, const Decoder& decoder) {
  Rope rope;
  rope.theta = read_rope_theta(config);
  const double share = config.number_or("partial_rotary_factor", 0, 1, 1);
  const int width = static_cast<int>(decoder.head_dim * share) / 2 * 2;
  if (width < 2) config.fail("partial_rotary_factor", "leaves no pair of values to rotate");
  if (width < decoder.head_dim) rope.width = width;
  if (!config.has("rope_scaling") && !config.has("rope_parameters")) return rope;
  const JsonFacts facts = rope_facts(config);
  const std::string key = facts.has("rope_type") ? "rope_type" : "type";
  const std::string type = facts.text(key).value_or("");
  // Writers that always give this object say so if there are no factors.
  if (type == "default") return rope;
  if (type != "su" && type != "longrope") {
    facts.fail(key, format("is \"{}\"; only \"su\" and \"longrope\" are supported", type));
  }
  const auto factors = [&](const std::string& name) {
    const auto count = static_cast<std::size_t>(width / 2);
    std::vector<double> values = facts.numbers(name, count, 1e-3, 1e6);
    if (values.size() != count) facts.fail(name, format("must list {} factors", count));
    return values;
  };
  rope.short_factors = factors("short_factor");
  rope.long_factors = factors("long_factor");
  const std::string original = "original_max_position_embeddings";
  const JsonFacts& place = facts.has(original) ? facts : config;
  rope.original_positions = place.integer(original, 2, kMaxPositions);
  const double growth = static_cast<double>(decoder.max_positions) / rope.original_positions;
  if (growth > 1) {
    rope.magnitude = std::sqrt(1 + std::log(growth) / std::log(rope.original_positions));
  }
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
