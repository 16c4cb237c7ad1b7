// Gemma 2, texts only. Source: Gemma Team, "Gemma 2: Improving Open Language Models at a Practical
// Size" (2024), section 2.
#include <cmath>

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/rope_scaling.h"

namespace fineprint::models {
namespace {

Decoder read_gemma2_trunk(const JsonFacts& config, bool gguf) {
  config.expect_text("hidden_activation", "gelu_pytorch_tanh", true);
  config.expect_flag("attention_bias", false);
  config.expect_flag("use_bidirectional_attention", false);
  // transformers' defaults, because configurations leave out values that equal them.
  Decoder decoder = read_decoder(config, {.head_dim = 256,
                                          .max_positions = 8192,
                                          .norm_eps = 1e-6,
                                          .heads = 8,
                                          .kv_heads = 4,
                                          .vocab_size = 256000,
                                          .own_layers = true});
  decoder.activation = Activation::gelu_tanh;
  // The converter to GGUF has already added the 1.
  decoder.norm_plus_one = !gguf;
  decoder.norms_behind = true;
  decoder.embedding_scale = std::sqrt(static_cast<double>(decoder.hidden));
  decoder.attention_scale =
      1 / std::sqrt(config.number_or("query_pre_attn_scalar", 1e-3, 1e6, 256));
  decoder.attention_cap = config.number_or("attn_logit_softcapping", 1e-3, 1e6, 50);
  decoder.logit_cap = config.number_or("final_logit_softcapping", 1e-3, 1e6, 30);
  // Layers alternate, beginning with one that sees its window.
  decoder.kinds = read_layer_kinds(config, decoder.layers,
                                   {"sliding_attention", LayerKind::windowed_attention}, {2});
  decoder.window = config.integer_or("sliding_window", 1, kMaxPositions, 4096);
  decoder.rope = decoder.window_rope = read_scaled_rope(config, decoder.head_dim);
  return decoder;
}

ModelSpec read_gemma2_folder(FolderReader& folder) {
  return finish_llama(folder, read_gemma2_trunk(folder.config(), folder.is_gguf()),
                      {.prefixes = {"model."}, .tied = true});
}

}  // namespace

Family gemma2_family() { return {"gemma2", {"Gemma2ForCausalLM"}, read_gemma2_folder}; }

}  // namespace fineprint::models
