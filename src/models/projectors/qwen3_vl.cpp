// Qwen3-VL, with features of several depths, and Qwen3.5 with those of one; both also with mixtures
// of experts.
#include <algorithm>
#include <array>

#include "models/gguf/projector_facts.h"
#include "models/projectors/projector_kind.h"

namespace fineprint::models {
namespace {

// An architecture of language models, and what a folder of the complete model says of itself.
struct SeeingModel {
  std::string_view language_model;
  const char *architecture, *model_type, *text_type;
};
constexpr std::array<SeeingModel, 4> kSeeingModels{{
    {"qwen3vl", "Qwen3VLForConditionalGeneration", "qwen3_vl", "qwen3_vl_text"},
    {"qwen3vlmoe", "Qwen3VLMoeForConditionalGeneration", "qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"qwen35", "Qwen3_5ForConditionalGeneration", "qwen3_5", "qwen3_5_text"},
    {"qwen35moe", "Qwen3_5MoeForConditionalGeneration", "qwen3_5_moe", "qwen3_5_moe_text"},
}};

// Returns the indices of the marked layers from a list with one mark for each layer.
Json marked_layers(const GgufFacts& clip, const std::string& key) {
  Json layers = Json::array();
  const std::vector<std::int64_t> marks = clip.integers(key);
  for (std::size_t layer = 0; layer < marks.size(); ++layer) {
    if (marks[layer] != 0) layers.push_back(layer);
  }
  return layers;
}

// Returns the sections of time, height and width; the fourth in the file is unused.
Json interleaved_sections(const GgufFacts& model, const std::string& architecture) {
  const std::string key = architecture + ".rope.dimension_sections";
  std::vector<std::int64_t> sections = model.integers(key);
  if (sections.size() < 3) model.fail(key, "must list time, height and width");
  sections.resize(3);
  return {{"rope_type", "default"}, {"mrope_interleaved", true}, {"mrope_section", sections}};
}

Json vision_config(const GgufFacts& clip) {
  const Json sizes = vision_sizes(clip);
  const std::int64_t patch = std::max<std::int64_t>(1, sizes.at("patch_size").get<std::int64_t>());
  constexpr std::int64_t kMostASide = 1 << 12;
  const std::int64_t side =
      // The file gives the side of the table of positions as an image size.
      std::clamp<std::int64_t>(sizes.at("image_size").get<std::int64_t>() / patch, 0, kMostASide);
  return {{"depth", sizes.at("num_hidden_layers")},
          {"hidden_size", sizes.at("hidden_size")},
          {"intermediate_size", sizes.at("intermediate_size")},
          {"num_heads", sizes.at("num_attention_heads")},
          {"out_hidden_size", clip.integer("clip.vision.projection_dim")},
          {"patch_size", patch},
          {"spatial_merge_size", clip.integer("clip.vision.spatial_merge_size")},
          {"num_position_embeddings", side * side},
          {"deepstack_visual_indexes", marked_layers(clip, "clip.vision.is_deepstack_layers")},
          {"hidden_act", "gelu_pytorch_tanh"}};
}

Json preprocessor(const GgufFacts& clip, const Json& vision) {
  // Defaults of the published preprocessor_config.json.
  const auto pixels = [&](const std::string& key, std::int64_t absent) {
    return clip.has(key) ? clip.integer(key) : absent;
  };
  Json processor = pixel_norm(clip);
  processor["patch_size"] = vision.at("patch_size");
  processor["merge_size"] = vision.at("spatial_merge_size");
  processor["size"] = {{"shortest_edge", pixels("clip.vision.image_min_pixels", 65536)},
                       {"longest_edge", pixels("clip.vision.image_max_pixels", 16777216)}};
  return processor;
}

void describe_qwen3_vl(const GgufFacts& model, const GgufFacts& clip,
                       std::map<std::string, Json>* files) {
  expect_gelu(clip);
  const std::string architecture = model.text("general.architecture");
  const SeeingModel& seeing =
      *std::ranges::find(kSeeingModels, architecture, &SeeingModel::language_model);
  const Json vision = vision_config(clip);
  Json& config = files->at("config.json");
  Json text = config;
  text["model_type"] = seeing.text_type;
  text["rope_scaling"] = interleaved_sections(model, architecture);
  config = {{"architectures", {seeing.architecture}},
            {"model_type", seeing.model_type},
            {"image_token_id", token_id(model, "<|image_pad|>")},
            {"text_config", text},
            {"vision_config", vision}};
  (*files)["preprocessor_config.json"] = preprocessor(clip, vision);
}

constexpr std::array<NamedTensor, 5> kQwen3VlProjectorOutside{{
    {"v.patch_embd.", "model.visual.patch_embed.proj."},
    {"v.position_embd.", "model.visual.pos_embed."},
    {"v.post_ln.", "model.visual.merger.norm."},
    {"mm.0.", "model.visual.merger.linear_fc1."},
    {"mm.2.", "model.visual.merger.linear_fc2."},
}};

constexpr std::array<NamedTensor, 6> kLayers{{
    {"ln1.", "norm1."},
    {"ln2.", "norm2."},
    {"attn_qkv.", "attn.qkv."},
    {"attn_out.", "attn.proj."},
    {"ffn_up.", "mlp.linear_fc1."},
    {"ffn_down.", "mlp.linear_fc2."},
}};

constexpr std::array<NamedTensor, 3> kFurther{{
    {"norm.", "norm."},
    {"fc1.", "linear_fc1."},
    {"fc2.", "linear_fc2."},
}};

}  // namespace

ProjectorKind qwen3_vl_projector() {
  return {"qwen3vl_merger",
          {"qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"},
          describe_qwen3_vl,
          kQwen3VlProjectorOutside,
          "model.visual.blocks.",
          kLayers,
          "model.visual.deepstack_merger_list.",
          kFurther};
}

}  // namespace fineprint::models
