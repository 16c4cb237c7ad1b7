// Qwen3's mixtures of experts, texts only. Source: Yang et al., "Qwen3 Technical Report" (2025),
// section 2.
#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/families/qwen3.h"
#include "models/rope_scaling.h"

namespace fineprint::models {

Experts read_qwen3_experts(const JsonFacts& config, int layers) {
  Experts experts;
  experts.count = config.integer("num_experts", 1, kMaxExperts);
  experts.chosen = config.integer("num_experts_per_tok", 1, kMaxExperts);
  if (experts.chosen > experts.count) {
    config.fail("num_experts_per_tok",
                format("is {}, more than the {} experts", experts.chosen, experts.count));
  }
  experts.intermediate = config.integer("moe_intermediate_size", 1, kMaxInner);
  experts.weights_sum_to_one = config.flag_or("norm_topk_prob", false);
  // One layer in each group of `step` has experts, but no layer that the list names.
  const int step = config.integer_or("decoder_sparse_step", 1, kMaxLayers, 1);
  for (int i = 0; i < layers; ++i) experts.layers.push_back((i + 1) % step == 0);
  for (const std::int64_t dense : config.integers("mlp_only_layers", kMaxLayers, 0, layers - 1)) {
    experts.layers[static_cast<std::size_t>(dense)] = false;
  }
  return experts;
}

namespace {

ModelSpec read_qwen3_moe_folder(FolderReader& folder) {
  const JsonFacts config = folder.config().with_defaults({{"use_sliding_window", false}});
  Decoder decoder = read_qwen3_decoder(config);
  decoder.rope = read_scaled_rope(config, decoder.head_dim);
  decoder.experts = read_qwen3_experts(config, decoder.layers);
  decoder.experts.store = ExpertStore::arrays;
  return finish_llama(folder, decoder);
}

}  // namespace

Family qwen3_moe_family() { return {"qwen3_moe", {"Qwen3MoeForCausalLM"}, read_qwen3_moe_folder}; }

}  // namespace fineprint::models
