// Qwen3, texts alone. Source: Yang et al., "Qwen3 Technical Report" (2025), section 2.
#include "models/families/qwen3.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"

namespace fineprint::models {

Decoder read_qwen3_decoder(const JsonFacts& text) {
  text.expect_text("hidden_act", "silu", true);
  text.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(text, {.head_dim = 128});
  decoder.qk_norm = true;
  return decoder;
}

namespace {

ModelSpec read_folder(FolderReader& folder) {
  Decoder decoder = read_qwen3_decoder(folder.config());
  decoder.rope = read_llama_rope(folder.config(), decoder.head_dim);
  return finish_llama(folder, decoder);
}

}  // namespace

Family qwen3_family() { return {"qwen3", {"Qwen3ForCausalLM"}, read_folder}; }

}  // namespace fineprint::models
