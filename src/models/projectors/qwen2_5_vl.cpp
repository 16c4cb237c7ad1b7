// Qwen2.5-VL: most layers of the tower see windows.
#include <array>

#include "models/config_facts.h"
#include "models/gguf/projector_facts.h"
#include "models/projectors/qwen2_vl.h"

namespace fineprint::models {
namespace {

// The side of a window, which files leave to the program.
constexpr int kWindowPixels = 112;

void describe_qwen2_5_vl(const GgufFacts& model, const GgufFacts& clip,
                         std::map<std::string, Json>* files) {
  if (!clip.flag_or("clip.use_silu", false)) {
    clip.fail("clip.use_silu", "is not true, but towers of Qwen2.5-VL have this activation");
  }
  const Json sizes = vision_sizes(clip);
  const std::string pattern = "clip.vision.n_wa_pattern";
  const std::int64_t each = clip.integer(pattern);
  const auto layers = sizes.at("num_hidden_layers").get<std::int64_t>();
  if (each < 1 || layers > kMaxLayers) {
    clip.fail(pattern, "must be 1 or more, for at most 256 layers");
  }
  Json whole = Json::array();  // the last of each group sees the whole image
  for (std::int64_t layer = each - 1; layer < layers; layer += each) whole.push_back(layer);
  describe_qwen2_vl(model, clip,
                    {{"depth", layers},
                     {"hidden_size", sizes.at("hidden_size")},
                     {"intermediate_size", sizes.at("intermediate_size")},
                     {"num_heads", sizes.at("num_attention_heads")},
                     {"out_hidden_size", clip.integer("clip.vision.projection_dim")},
                     {"patch_size", sizes.at("patch_size")},
                     {"window_size", kWindowPixels},
                     {"fullatt_block_indexes", whole},
                     {"hidden_act", "silu"}},
                    "Qwen2_5_VLForConditionalGeneration", files);
}

// Gated networks have other names than those of Qwen2-VL.
constexpr std::array<NamedTensor, 9> kGatedLayers{{
    {"ln1.", "norm1."},
    {"ln2.", "norm2."},
    {"attn_q.", "attn.q."},
    {"attn_k.", "attn.k."},
    {"attn_v.", "attn.v."},
    {"attn_out.", "attn.proj."},
    {"ffn_gate.", "mlp.gate_proj."},
    {"ffn_up.", "mlp.up_proj."},
    {"ffn_down.", "mlp.down_proj."},
}};

}  // namespace

ProjectorKind qwen2_5_vl_projector() {
  ProjectorKind kind = qwen2_vl_kind("qwen2.5vl_merger", describe_qwen2_5_vl);
  kind.in_layers = kGatedLayers;
  return kind;
}

}  // namespace fineprint::models
