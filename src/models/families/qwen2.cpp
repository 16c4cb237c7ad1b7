// Qwen2 and Qwen2.5, texts only. Source: Yang et al., "Qwen2 Technical Report" (2024), section 2.2;
// Qwen Team, "Qwen2.5 Technical Report" (2024), section 2.
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/rope_scaling.h"

namespace fineprint::models {
namespace {

ModelSpec read_qwen2_folder(FolderReader& folder) {
  // Published configurations name a window next to a flag that switches it off; without the flag it
  // is off as well.
  const JsonFacts config = folder.config().with_defaults({{"use_sliding_window", false}});
  config.expect_text("hidden_act", "silu", true);
  config.expect_flag("attention_bias", true);
  // Encoders that others made of this model let tokens see later ones, by code of their own.
  config.expect_flag("is_causal", true);
  Decoder decoder = read_decoder(config);
  decoder.qkv_bias = true;
  decoder.rope = read_scaled_rope(config, decoder.head_dim);
  return finish_llama(folder, decoder);
}

}  // namespace

Family qwen2_family() { return {"qwen2", {"Qwen2ForCausalLM"}, read_qwen2_folder}; }

}  // namespace fineprint::models
