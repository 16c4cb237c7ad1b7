// The language models that GGUF files may hold: their names, and what each says in its own way.
#include "models/gguf/gguf_architectures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "models/gguf/gguf_encoders.h"

namespace fineprint::models {
namespace {

// Names of single architectures, which are tried before the common names.
constexpr std::array<NamedTensor, 3> kInGemma3Layers{{
    {"ffn_norm.", "pre_feedforward_layernorm."},
    {"post_attention_norm.", "post_attention_layernorm."},
    {"post_ffw_norm.", "post_feedforward_layernorm."},
}};

constexpr std::array<NamedTensor, 2> kInPhi3Layers{{
    {"attn_qkv.", "self_attn.qkv_proj."},
    {"ffn_up.", "mlp.gate_up_proj."},
}};

// One array holds the matrices of all experts; kExpertNumber stands for the number of each.
constexpr std::array<NamedTensor, 4> kInMixtureLayers{{
    {"ffn_gate_inp.", "mlp.gate."},
    {"ffn_gate_exps.", "mlp.experts.*.gate_proj."},
    {"ffn_up_exps.", "mlp.experts.*.up_proj."},
    {"ffn_down_exps.", "mlp.experts.*.down_proj."},
}};

constexpr std::array<NamedTensor, 10> kInQwen35Layers{{
    {"post_attention_norm.", "post_attention_layernorm."},
    {"attn_qkv.", "linear_attn.in_proj_qkv."},
    {"attn_gate.", "linear_attn.in_proj_z."},
    {"ssm_beta.", "linear_attn.in_proj_b."},
    {"ssm_alpha.", "linear_attn.in_proj_a."},
    {"ssm_conv1d.", "linear_attn.conv1d."},
    {"ssm_a", "linear_attn.A_log"},
    {"ssm_dt.", "linear_attn.dt_"},
    {"ssm_norm.", "linear_attn.norm."},
    {"ssm_out.", "linear_attn.out_proj."},
}};

// Those of Qwen3.5, and an expert that reads every token.
constexpr std::array<NamedTensor, 19> kInQwen35MixtureLayers{{
    {"post_attention_norm.", "post_attention_layernorm."},
    {"attn_qkv.", "linear_attn.in_proj_qkv."},
    {"attn_gate.", "linear_attn.in_proj_z."},
    {"ssm_beta.", "linear_attn.in_proj_b."},
    {"ssm_alpha.", "linear_attn.in_proj_a."},
    {"ssm_conv1d.", "linear_attn.conv1d."},
    {"ssm_a", "linear_attn.A_log"},
    {"ssm_dt.", "linear_attn.dt_"},
    {"ssm_norm.", "linear_attn.norm."},
    {"ssm_out.", "linear_attn.out_proj."},
    {"ffn_gate_inp.", "mlp.gate."},
    {"ffn_gate_exps.", "mlp.experts.*.gate_proj."},
    {"ffn_up_exps.", "mlp.experts.*.up_proj."},
    {"ffn_gate_up_exps.", "mlp.experts.*.gate_up_proj."},
    {"ffn_down_exps.", "mlp.experts.*.down_proj."},
    {"ffn_gate_inp_shexp.", "mlp.shared_expert_gate."},
    {"ffn_gate_shexp.", "mlp.shared_expert.gate_proj."},
    {"ffn_up_shexp.", "mlp.shared_expert.up_proj."},
    {"ffn_down_shexp.", "mlp.shared_expert.down_proj."},
}};

constexpr std::array<NamedTensor, 3> kInLfm2Layers{{
    {"shortconv.in_proj.", "conv.in_proj."},
    {"shortconv.out_proj.", "conv.out_proj."},
    {"shortconv.conv.", "conv.conv."},
}};

constexpr const char* kShortFactors = "rope_factors_short.weight";

// Adds what such files leave to the program: one layer in six has full attention, and products of
// queries and keys are scaled by the head width; in the largest model, by the average width of a
// head.
void add_gemma3(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  constexpr std::int64_t kLargestLayers = 62;
  const std::string local = prefix + "rope.freq_base_swa";
  if (gguf.has(local)) (*config)["rope_local_base_freq"] = gguf.number(local);
  const std::int64_t width = gguf.integer(prefix + "embedding_length");
  const std::int64_t heads =
      std::max<std::int64_t>(1, gguf.integer(prefix + "attention.head_count"));
  const bool largest = gguf.integer(prefix + "block_count") == kLargestLayers;
  (*config)["query_pre_attn_scalar"] =
      largest || !config->contains("head_dim") ? width / heads : (*config)["head_dim"].get<int>();
}

// EmbeddingGemma: Gemma 3 whose tokens see both directions.
void add_gemma_embedding(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  add_gemma3(gguf, prefix, config);
  (*config)["use_bidirectional_attention"] = true;
}

// Adds the sizes of delta-rule layers, which these files store under the names of state space
// models. The layers after the last one predict several tokens at a time and are left out.
void add_qwen35(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  const std::int64_t heads = gguf.integer(prefix + "ssm.time_step_rank");
  const std::int64_t inner = gguf.integer(prefix + "ssm.inner_size");
  if (heads < 1 || inner % heads != 0) {
    gguf.fail(prefix + "ssm.time_step_rank",
              format("is {}, which does not divide {}", heads, inner));
  }
  (*config)["linear_num_value_heads"] = heads;
  (*config)["linear_value_head_dim"] = inner / heads;
  (*config)["linear_num_key_heads"] = gguf.integer(prefix + "ssm.group_count");
  (*config)["linear_key_head_dim"] = gguf.integer(prefix + "ssm.state_size");
  (*config)["linear_conv_kernel_dim"] = gguf.integer(prefix + "ssm.conv_kernel");
  const std::string interval = prefix + "full_attention_interval";
  if (gguf.has(interval)) (*config)["full_attention_interval"] = gguf.integer(interval);
  const std::string guessing = prefix + "nextn_predict_layers";
  if (gguf.has(guessing)) {
    const std::int64_t layers = gguf.integer(prefix + "block_count");
    (*config)["num_hidden_layers"] = layers - gguf.integer(guessing);
  }
}

// Adds the caps, and the scale of products of queries and keys as in add_gemma3.
void add_gemma2(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  constexpr std::int64_t kLargestLayers = 46;
  for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    if (gguf.has(prefix + cap)) (*config)[cap] = gguf.number(prefix + cap);
  }
  const std::int64_t heads =
      std::max<std::int64_t>(1, gguf.integer(prefix + "attention.head_count"));
  const std::int64_t mean = gguf.integer(prefix + "embedding_length") / heads;
  const bool largest = gguf.integer(prefix + "block_count") == kLargestLayers;
  (*config)["query_pre_attn_scalar"] =
      largest || !config->contains("head_dim") ? mean : (*config)["head_dim"].get<std::int64_t>();
}

void add_granite(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  for (const auto& [key, name] : {std::pair{"embedding_scale", "embedding_multiplier"},
                                  {"attention.scale", "attention_multiplier"},
                                  {"residual_scale", "residual_multiplier"},
                                  {"logit_scale", "logits_scaling"}}) {
    (*config)[name] = gguf.number(prefix + key);
  }
}

// Adds the factors of positions, which are tensors. A window of 0 tokens means none.
void add_phi3(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  if (config->contains("sliding_window") && (*config)["sliding_window"] == 0) {
    config->erase("sliding_window");
  }
  const auto* longer = gguf.find_tensor(kLongFactors);
  const auto* shorter = gguf.find_tensor(kShortFactors);
  if (longer == nullptr && shorter == nullptr) return;
  if (longer == nullptr || shorter == nullptr) {
    gguf.fail(format("tensor '{}'", longer == nullptr ? kLongFactors : kShortFactors),
              "is missing, but its counterpart is there");
  }
  (*config)["rope_scaling"] = {{"rope_type", "longrope"},
                               {"long_factor", rope_factors(gguf, *longer)},
                               {"short_factor", rope_factors(gguf, *shorter)},
                               {"original_max_position_embeddings",
                                gguf.integer(prefix + "rope.scaling.original_context_length")}};
}

// Adds how much the queries of late tokens grow.
void add_mistral3(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  const std::string growth = prefix + "attention.temperature_scale";
  if (!gguf.has(growth) || gguf.number(growth) == 0) return;
  Json& scaling = (*config)["rope_scaling"];
  if (!scaling.is_object() || !scaling.contains("original_max_position_embeddings")) {
    gguf.fail(prefix + "rope.scaling.original_context_length",
              format("is missing, but {} needs it", growth));
  }
  scaling["llama_4_scaling_beta"] = gguf.number(growth);
}

// The router's weights always sum to one after the choice: files do not say so.
void add_mixture(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  (*config)["num_experts"] = gguf.integer(prefix + "expert_count");
  (*config)["num_experts_per_tok"] = gguf.integer(prefix + "expert_used_count");
  (*config)["moe_intermediate_size"] = gguf.integer(prefix + "expert_feed_forward_length");
  (*config)["norm_topk_prob"] = true;
}

void add_qwen35_mixture(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  add_qwen35(gguf, prefix, config);
  add_mixture(gguf, prefix, config);
  (*config)["shared_expert_intermediate_size"] =
      gguf.integer(prefix + "expert_shared_feed_forward_length");
}

// Adds which layers have attention: those with heads of keys and values.
void add_lfm2(const GgufFacts& gguf, const std::string& prefix, Json* config) {
  const std::string key = prefix + "attention.head_count_kv";
  Json kinds = Json::array();
  std::int64_t heads = 0;
  for (const std::int64_t of_layer : gguf.integers(key)) {
    if (of_layer < 0 || (of_layer > 0 && heads > 0 && of_layer != heads)) {
      gguf.fail(key,
                format("lists {} and {} heads; layers with attention must have the same number",
                       heads, of_layer));
    }
    heads = std::max(heads, of_layer);
    kinds.push_back(of_layer > 0 ? "full_attention" : "conv");
  }
  if (heads == 0) gguf.fail(key, "lists no layer with attention");
  (*config)["num_key_value_heads"] = heads;
  (*config)["layer_types"] = kinds;
  (*config)["norm_eps"] = (*config)["rms_norm_eps"];
  (*config)["block_auto_adjust_ff_dim"] = false;
  (*config)["conv_L_cache"] = gguf.integer(prefix + "shortconv.l_cache");
  bool bias = false;
  for (const auto& [name, view] : gguf.reader().tensors()) {
    bias = bias || name.ends_with("shortconv.in_proj.bias");
  }
  (*config)["conv_bias"] = bias;
}

constexpr std::array kArchitectures{
    NamedArchitecture{"llama", "LlamaForCausalLM", "llama"},
    NamedArchitecture{"qwen2", "Qwen2ForCausalLM", "qwen2"},
    NamedArchitecture{"qwen3", "Qwen3ForCausalLM", "qwen3"},
    NamedArchitecture{"qwen3moe", "Qwen3MoeForCausalLM", "qwen3_moe", add_mixture, kInMixtureLayers,
                      false, true},
    NamedArchitecture{"gemma2", "Gemma2ForCausalLM", "gemma2", add_gemma2, kInGemma3Layers},
    NamedArchitecture{"gemma3", "Gemma3ForCausalLM", "gemma3_text", add_gemma3, kInGemma3Layers},
    NamedArchitecture{"gemma-embedding", "Gemma3TextModel", "gemma3_text", add_gemma_embedding,
                      kInGemma3Layers},
    NamedArchitecture{"qwen35", "Qwen3_5ForCausalLM", "qwen3_5_text", add_qwen35, kInQwen35Layers,
                      true},
    NamedArchitecture{"qwen35moe", "Qwen3_5MoeForCausalLM", "qwen3_5_moe_text", add_qwen35_mixture,
                      kInQwen35MixtureLayers, true, true},
    NamedArchitecture{"phi3", "Phi3ForCausalLM", "phi3", add_phi3, kInPhi3Layers, true},
    NamedArchitecture{"granite", "GraniteForCausalLM", "granite", add_granite},
    NamedArchitecture{"smollm3", "SmolLM3ForCausalLM", "smollm3"},
    NamedArchitecture{"lfm2", "Lfm2ForCausalLM", "lfm2", add_lfm2, kInLfm2Layers, false, false,
                      true},
    NamedArchitecture{"mistral3", "Ministral3ForCausalLM", "ministral3", add_mistral3},
    // Without their towers: the three positions of a text token are equal, so that they compute
    // like Qwen2 and Qwen3.
    NamedArchitecture{"qwen2vl", "Qwen2ForCausalLM", "qwen2"},
    NamedArchitecture{"qwen3vl", "Qwen3ForCausalLM", "qwen3"},
    NamedArchitecture{"qwen3vlmoe", "Qwen3MoeForCausalLM", "qwen3_moe", add_mixture,
                      kInMixtureLayers, false, true},
};

}  // namespace

Json rope_factors(const GgufFacts& gguf, const tensorfile::TensorView& view) {
  if (view.blocks || view.dtype != tensorfile::Dtype::f32 || view.shape.size() != 1) {
    gguf.fail(format("tensor '{}'", view.name), "is not a list of numbers in F32");
  }
  Json factors = Json::array();
  for (std::size_t at = 0; at < view.bytes.size(); at += sizeof(float)) {
    float factor = 0;
    std::memcpy(&factor, view.bytes.data() + at, sizeof factor);
    if (!std::isfinite(factor)) {
      gguf.fail(format("tensor '{}'", view.name), "holds a NaN or an infinity");
    }
    factors.push_back(factor);
  }
  return factors;
}

const NamedArchitecture* find_architecture(std::string_view name) {
  const auto found = std::ranges::find(kArchitectures, name, &NamedArchitecture::gguf);
  return found == kArchitectures.end() ? nullptr : &*found;
}

const NamedArchitecture& architecture_of(const GgufFacts& gguf) {
  const std::string name = gguf.text("general.architecture");
  if (const NamedArchitecture* found = find_architecture(name)) return *found;
  const std::string known = join_texts(kArchitectures, ", ", &NamedArchitecture::gguf);
  gguf.fail("general.architecture",
            format("is \"{}\"; GGUF files of {}, and of the encoders {}, run here. A server can "
                   "run others: `llama-server "
                   "-m {} --port 8080`, then --generator http://localhost:8080; or Ollama, then "
                   "--generator ollama:NAME",
                   name, known, encoder_architectures(), gguf.reader().path()));
}

}  // namespace fineprint::models
