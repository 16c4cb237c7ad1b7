// Gemma 3: SigLIP, and the mean of neighbouring patches.
#include <algorithm>
#include <array>

#include "models/gguf/projector_facts.h"
#include "models/projectors/projector_kind.h"

namespace fineprint::models {
namespace {

// Returns the token of images in the prompt. Files of early converters do not have it; then an
// unused token takes its place.
std::string image_marker(const GgufFacts& model) {
  for (const char* name : {"<image_soft_token>", "<unused0>"}) {
    if (find_token(model, name)) return name;
  }
  model.fail("tokenizer.ggml.tokens",
             "has neither <image_soft_token> nor <unused0>, which could mark an image");
}

void describe_gemma3(const GgufFacts& model, const GgufFacts& clip,
                     std::map<std::string, Json>* files) {
  expect_gelu(clip);
  Json vision = vision_sizes(clip);
  vision["hidden_act"] = "gelu_pytorch_tanh";
  const std::int64_t side = clip.integer("clip.vision.image_size");
  const std::int64_t patch = std::max<std::int64_t>(1, clip.integer("clip.vision.patch_size"));
  // Patches along the side of a token; the file gives it only if it differs from the published
  // models.
  const std::string scale = "clip.vision.projector.scale_factor";
  const std::int64_t pool = clip.has(scale) ? clip.integer(scale) : 4;
  constexpr std::int64_t kMostSide = 1 << 14;
  if (pool < 1) clip.fail(scale, "is under 1");
  // Clamped, because the file may contain anything; later checks refuse absurd sizes.
  const std::int64_t tokens = std::clamp<std::int64_t>(side, 0, kMostSide) / patch / pool;
  const std::string marker = image_marker(model);
  Json& config = files->at("config.json");
  Json text = config;
  config = {{"architectures", {"Gemma3ForConditionalGeneration"}},
            {"model_type", "gemma3"},
            {"text_config", text},
            {"vision_config", vision},
            {"mm_tokens_per_image", tokens * tokens},
            {"image_token_index", token_id(model, marker)}};
  (*files)["tokenizer_config.json"]["image_token"] = marker;
  Json processor = pixel_norm(clip);
  processor["size"] = {{"width", side}, {"height", side}};
  (*files)["preprocessor_config.json"] = processor;
}

constexpr std::array<NamedTensor, 5> kGemma3ProjectorOutside{{
    {"v.patch_embd.", "vision_tower.vision_model.embeddings.patch_embedding."},
    {"v.position_embd.", "vision_tower.vision_model.embeddings.position_embedding."},
    {"v.post_ln.", "vision_tower.vision_model.post_layernorm."},
    {"mm.soft_emb_norm.", "multi_modal_projector.mm_soft_emb_norm."},
    {"mm.input_projection.weight", "multi_modal_projector.mm_input_projection_weight"},
}};

}  // namespace

ProjectorKind gemma3_projector() {
  return {"gemma3",
          {"gemma3"},
          describe_gemma3,
          kGemma3ProjectorOutside,
          "vision_tower.vision_model.encoder.layers.",
          kSiglipLayers};
}

}  // namespace fineprint::models
