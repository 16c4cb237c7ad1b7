// Qwen2-VL, and what Qwen2.5-VL has in common with it.
#include "models/projectors/qwen2_vl.h"

#include <algorithm>
#include <array>

#include "fineprint/core/format.h"

#include "models/gguf/projector_facts.h"

namespace fineprint::models {
namespace {

// Returns the inner width of the tower's feed-forward networks. The file's own
// number is another one: converters write the width of the language model under
// that key.
std::int64_t inner_width(const GgufFacts& clip, std::int64_t width) {
  const std::string name = "v.blk.0.ffn_up.weight";
  const tensorfile::TensorView* up = clip.find_tensor(name);
  if (up == nullptr || up->shape.size() != 2) {
    clip.fail(format("tensor '{}'", name), "is missing or is not a matrix");
  }
  // Early converters exchanged the names of the two matrices.
  const std::int64_t inner = up->shape[0] == width ? up->shape[1] : up->shape[0];
  if (width < 1 || inner % width != 0) {
    clip.fail(format("tensor '{}'", name),
              format("has {} rows, which are no multiple of the width {}", inner, width));
  }
  return inner;
}

void describe_first(const GgufFacts& model, const GgufFacts& clip,
                    std::map<std::string, Json>* files) {
  // Without a flag, the activation is the quick GELU of CLIP.
  for (const char* flag : {"clip.use_gelu", "clip.use_silu"}) {
    if (clip.flag_or(flag, false)) clip.fail(flag, "is true, but towers of Qwen2-VL are otherwise");
  }
  const Json sizes = vision_sizes(clip);
  const auto width = sizes.at("hidden_size").get<std::int64_t>();
  const std::int64_t inner = inner_width(clip, width);
  describe_qwen2_vl(model, clip,
                    {{"depth", sizes.at("num_hidden_layers")},
                     {"embed_dim", width},
                     {"mlp_ratio", inner / width},
                     {"num_heads", sizes.at("num_attention_heads")},
                     {"hidden_size", clip.integer("clip.vision.projection_dim")},
                     {"patch_size", sizes.at("patch_size")},
                     {"hidden_act", "quick_gelu"}},
                    "Qwen2VLForConditionalGeneration", files);
}

constexpr std::array<NamedTensor, 4> kOutsideBlocks{{
    {"v.patch_embd.", "visual.patch_embed.proj."},
    {"v.post_ln.", "visual.merger.ln_q."},
    {"mm.0.", "visual.merger.mlp.0."},
    {"mm.2.", "visual.merger.mlp.2."},
}};

// Queries, keys and values have matrices of their own.
constexpr std::array<NamedTensor, 8> kPlainLayers{{
    {"ln1.", "norm1."},
    {"ln2.", "norm2."},
    {"attn_q.", "attn.q."},
    {"attn_k.", "attn.k."},
    {"attn_v.", "attn.v."},
    {"attn_out.", "attn.proj."},
    {"ffn_up.", "mlp.fc1."},
    {"ffn_down.", "mlp.fc2."},
}};

}  // namespace

void describe_qwen2_vl(const GgufFacts& model, const GgufFacts& clip, const Json& vision,
                       const char* architecture, std::map<std::string, Json>* files) {
  const std::string key = model.text("general.architecture") + ".rope.dimension_sections";
  std::vector<std::int64_t> sections = model.integers(key);
  if (sections.size() < 3) model.fail(key, "must list time, height and width");
  sections.resize(3);  // the fourth in the file is unused
  Json& config = files->at("config.json");
  Json text = config;
  text["rope_scaling"] = {{"type", "mrope"}, {"mrope_section", sections}};
  config = {{"architectures", {architecture}},
            {"image_token_id", token_id(model, "<|image_pad|>")},
            {"text_config", text},
            {"vision_config", vision}};
  // Defaults of the published preprocessor_config.json.
  const auto pixels = [&](const std::string& name, std::int64_t absent) {
    return clip.has(name) ? clip.integer(name) : absent;
  };
  Json processor = pixel_norm(clip);
  processor["patch_size"] = vision.at("patch_size");
  processor["min_pixels"] = pixels("clip.vision.image_min_pixels", 3136);
  processor["max_pixels"] = pixels("clip.vision.image_max_pixels", 12845056);
  (*files)["preprocessor_config.json"] = processor;
}

ProjectorKind qwen2_vl_kind(std::string_view type, decltype(ProjectorKind::describe) describe) {
  return {type, {"qwen2vl"}, describe, kOutsideBlocks, "visual.blocks.", kPlainLayers};
}

ProjectorKind qwen2_vl_projector() { return qwen2_vl_kind("qwen2vl_merger", describe_first); }

}  // namespace fineprint::models
