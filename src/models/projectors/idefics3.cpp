// Idefics3 (SmolVLM, granite-docling): SigLIP over tiles, pixel shuffle.
#include <algorithm>
#include <array>

#include "models/gguf/projector_facts.h"
#include "models/projectors/projector_kind.h"

namespace fineprint::models {
namespace {

void describe_idefics3(const GgufFacts& model, const GgufFacts& clip,
                       std::map<std::string, Json>* files) {
  expect_gelu(clip);
  Json& config = files->at("config.json");
  Json vision = vision_sizes(clip);
  vision["hidden_act"] = "gelu_pytorch_tanh";
  const std::int64_t tile = clip.integer("clip.vision.image_size");
  const std::string longest = "clip.vision.preproc_image_size";
  // Early files do not give it: the reference's default is four tiles.
  constexpr std::int64_t kTilesALine = 4, kMostSide = 1 << 13;
  const std::int64_t edge = clip.has(longest)
                                ? clip.integer(longest)
                                : kTilesALine * std::clamp<std::int64_t>(tile, 0, kMostSide);
  config = {{"architectures", {"Idefics3ForConditionalGeneration"}},
            {"model_type", "idefics3"},
            {"text_config", config},
            {"vision_config", vision},
            {"scale_factor", clip.integer("clip.vision.projector.scale_factor")},
            {"image_token_id", token_id(model, "<image>")}};
  Json processor = pixel_norm(clip);
  processor["max_image_size"] = {{"longest_edge", tile}};
  processor["size"] = {{"longest_edge", edge}};
  (*files)["preprocessor_config.json"] = processor;
}

constexpr std::array<NamedTensor, 4> kIdefics3ProjectorOutside{{
    {"v.patch_embd.", "model.vision_model.embeddings.patch_embedding."},
    {"v.position_embd.", "model.vision_model.embeddings.position_embedding."},
    {"v.post_ln.", "model.vision_model.post_layernorm."},
    {"mm.model.fc.", "model.connector.modality_projection.proj."},
}};

}  // namespace

ProjectorKind idefics3_projector() {
  return {"idefics3",
          {"llama"},
          describe_idefics3,
          kIdefics3ProjectorOutside,
          "model.vision_model.encoder.layers.",
          kSiglipLayers};
}

}  // namespace fineprint::models
