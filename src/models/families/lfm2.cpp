// LFM2, texts only: short convolutions, and attention in some layers. Source: Liquid AI, "LFM2
// Technical Report" (2025), section 2.
#include "models/families/lfm2.h"

#include <array>
#include <utility>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/rope_scaling.h"

namespace fineprint::models {
namespace {

// Returns the inner width of the feed-forward networks. The configuration's number is twice what
// the matrices have of three, rounded up to a multiple, unless a flag says that it is exact.
int read_inner_width(const JsonFacts& config) {
  const std::string key = config.has("block_ff_dim") ? "block_ff_dim" : "intermediate_size";
  std::int64_t width = config.integer(key, 1, kMaxInner);
  if (!config.flag_or("block_auto_adjust_ff_dim", true)) return static_cast<int>(width);
  width = 2 * width / 3;
  const double factor = config.number_or("block_ffn_dim_multiplier", 1e-3, 64, 1);
  width = static_cast<std::int64_t>(factor * static_cast<double>(width));
  const int multiple = config.integer_or("block_multiple_of", 1, kMaxInner, 256);
  width = (width + multiple - 1) / multiple * multiple;
  if (width < 1 || width > kMaxInner) config.fail(key, format("gives matrices {} wide", width));
  return static_cast<int>(width);
}

// Without layer_types, older configurations list the layers with attention.
std::vector<LayerKind> read_lfm2_kinds(const JsonFacts& config, int layers) {
  if (config.has("layer_types") || !config.has("full_attn_idxs")) {
    return read_layer_kinds(config, layers, {"conv", LayerKind::short_convolution}, {1});
  }
  std::vector<LayerKind> kinds(static_cast<std::size_t>(layers), LayerKind::short_convolution);
  for (const std::int64_t at : config.integers("full_attn_idxs", kMaxLayers, 0, layers - 1)) {
    kinds[static_cast<std::size_t>(at)] = LayerKind::full_attention;
  }
  return kinds;
}

}  // namespace

Decoder read_lfm2_trunk(const JsonFacts& given, bool gguf) {
  const JsonFacts config =
      given.with_defaults({{"intermediate_size", 12288},
                           {"rope_theta", 1e6},
                           {"rms_norm_eps", given.number_or("norm_eps", 0, 0.1, 1e-5)}});
  Decoder decoder = read_decoder(config, {.own_layers = true});
  decoder.intermediate = read_inner_width(config);
  decoder.kinds = read_lfm2_kinds(config, decoder.layers);
  decoder.convolution.kernel = config.integer_or("conv_L_cache", 2, 64, 3);
  decoder.convolution.bias = config.flag_or("conv_bias", false);
  decoder.convolution.as_matrix = gguf;
  decoder.qk_norm = true;
  decoder.rope = read_scaled_rope(config, decoder.head_dim);
  return decoder;
}

void name_as_lfm2(PartTensors* trunk) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kPieces{{
      {".input_layernorm.", ".operator_norm."},
      {".post_attention_layernorm.", ".ffn_norm."},
      {".self_attn.o_proj.", ".self_attn.out_proj."},
      {".self_attn.q_norm.", ".self_attn.q_layernorm."},
      {".self_attn.k_norm.", ".self_attn.k_layernorm."},
      {".mlp.gate_proj.", ".feed_forward.w1."},
      {".mlp.up_proj.", ".feed_forward.w3."},
      {".mlp.down_proj.", ".feed_forward.w2."},
      {".norm.", ".embedding_norm."},
  }};
  for (TensorSpec& tensor : trunk->tensors) {
    std::string name = "." + tensor.name;
    for (const auto& [ours, theirs] : kPieces) {
      const std::size_t at = name.find(ours);
      if (at != std::string::npos) name.replace(at, ours.size(), theirs);
    }
    tensor.alternative = name.substr(1);
  }
}

namespace {

ModelSpec read_lfm2_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const Decoder decoder = read_lfm2_trunk(config, folder.is_gguf());
  const bool tied = config.flag_or("tie_embedding", true);
  ModelSpec spec = finish_llama(folder, decoder, {.prefixes = {"model."}, .tied = tied});
  name_as_lfm2(&spec.parts.front());
  return spec;
}

}  // namespace

Family lfm2_family() { return {"lfm2", {"Lfm2ForCausalLM"}, read_lfm2_folder}; }

}  // namespace fineprint::models
