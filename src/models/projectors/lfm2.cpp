// LFM2-VL: SigLIP 2's tower and two layers over merged patches. Files do not give the sizes of
// tiles and the limits of tokens: those of the published models are taken, as in the reference.
#include <array>

#include "models/gguf/projector_facts.h"
#include "models/projectors/projector_kind.h"

namespace fineprint::models {
namespace {

// Returns a length of a tensor's shape; throws Error(model) if the tensor is missing or has fewer.
std::int64_t length_of(const GgufFacts& clip, const std::string& name, std::size_t axis) {
  const tensorfile::TensorView* tensor = clip.find_tensor(name);
  if (tensor == nullptr || tensor->shape.size() <= axis) {
    clip.fail("tensor '" + name + "'", "is missing or has a wrong shape");
  }
  return tensor->shape[axis];
}

// Only newer converters write the filter.
void expect_bilinear(const GgufFacts& clip) {
  const std::string key = "clip.vision.image_resize_algo";
  if (clip.has(key) && clip.text(key) != "bilinear") {
    clip.fail(key, "is \"" + clip.text(key) + "\"; only bilinear is supported for this projector");
  }
}

void describe_lfm2(const GgufFacts& model, const GgufFacts& clip,
                   std::map<std::string, Json>* files) {
  expect_gelu(clip);
  expect_bilinear(clip);
  Json vision = vision_sizes(clip);
  vision["model_type"] = "siglip2_vision_model";
  vision["hidden_act"] = "gelu_pytorch_tanh";
  // The file's image_size is that of the published table of positions, whatever the table is.
  vision["num_patches"] = length_of(clip, "v.position_embd.weight", 0);
  Json& config = files->at("config.json");
  const Json text = config;
  const std::int64_t merge = clip.integer("clip.vision.projector.scale_factor");
  config = {{"architectures", {"Lfm2VlForConditionalGeneration"}},
            {"model_type", "lfm2_vl"},
            {"image_token_id", token_id(model, "<image>")},
            {"downsample_factor", merge},
            {"projector_hidden_size", length_of(clip, "mm.1.weight", 0)},
            {"projector_bias", clip.find_tensor("mm.1.bias") != nullptr},
            {"projector_use_layernorm", clip.find_tensor("mm.input_norm.weight") != nullptr},
            {"text_config", text},
            {"vision_config", vision}};
  (*files)["preprocessor_config.json"] = pixel_norm(clip);
}

constexpr std::array<NamedTensor, 6> kLfm2ProjectorOutside{{
    {"v.patch_embd.", "model.vision_tower.embeddings.patch_embedding."},
    {"v.position_embd.", "model.vision_tower.embeddings.position_embedding."},
    {"v.post_ln.", "model.vision_tower.post_layernorm."},
    {"mm.input_norm.", "model.multi_modal_projector.layer_norm."},
    {"mm.1.", "model.multi_modal_projector.linear_1."},
    {"mm.2.", "model.multi_modal_projector.linear_2."},
}};

}  // namespace

ProjectorKind lfm2_projector() {
  return {"lfm2",
          {"lfm2"},
          describe_lfm2,
          kLfm2ProjectorOutside,
          "model.vision_tower.encoder.layers.",
          kSiglipLayers};
}

}  // namespace fineprint::models
