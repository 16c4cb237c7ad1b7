// Pixtral's tower with the patch merger of Mistral Small 3.1 and Ministral 3.
#include <array>

#include "models/gguf/projector_facts.h"
#include "models/projectors/projector_kind.h"

namespace fineprint::models {
namespace {

// Returns the name of the tower's activation.
const char* activation_of(const GgufFacts& clip) {
  if (clip.flag_or("clip.use_silu", false)) return "silu";
  expect_gelu(clip);
  return "gelu";
}

void describe_pixtral(const GgufFacts& model, const GgufFacts& clip,
                      std::map<std::string, Json>* files) {
  if (clip.find_tensor("mm.patch_merger.weight") == nullptr) {
    clip.fail("tensor 'mm.patch_merger.weight'",
              "is missing; models without a patch merger (Pixtral 12B) are not supported");
  }
  Json vision = vision_sizes(clip);
  vision["model_type"] = "pixtral";
  vision["hidden_act"] = activation_of(clip);
  Json& config = files->at("config.json");
  const Json text = config;
  config = {{"architectures", {"Mistral3ForConditionalGeneration"}},
            {"model_type", "mistral3"},
            {"image_token_index", token_id(model, "[IMG]")},
            {"spatial_merge_size", clip.integer("clip.vision.spatial_merge_size")},
            {"multimodal_projector_bias", clip.find_tensor("mm.1.bias") != nullptr},
            {"text_config", text},
            {"vision_config", vision}};
  Json processor = pixel_norm(clip);
  processor["size"] = {{"longest_edge", vision["image_size"]}};
  (*files)["preprocessor_config.json"] = processor;
}

constexpr std::array<NamedTensor, 6> kPixtralOutside{{
    {"v.patch_embd.", "vision_tower.patch_conv."},
    {"v.pre_ln.", "vision_tower.ln_pre."},
    {"mm.input_norm.", "multi_modal_projector.norm."},
    {"mm.patch_merger.", "multi_modal_projector.patch_merger.merging_layer."},
    {"mm.1.", "multi_modal_projector.linear_1."},
    {"mm.2.", "multi_modal_projector.linear_2."},
}};

constexpr std::array<NamedTensor, 9> kPixtralLayers{{
    {"ln1.", "attention_norm."},
    {"ln2.", "ffn_norm."},
    {"attn_q.", "attention.q_proj."},
    {"attn_k.", "attention.k_proj."},
    {"attn_v.", "attention.v_proj."},
    {"attn_out.", "attention.o_proj."},
    {"ffn_gate.", "feed_forward.gate_proj."},
    {"ffn_up.", "feed_forward.up_proj."},
    {"ffn_down.", "feed_forward.down_proj."},
}};

}  // namespace

ProjectorKind pixtral_projector() {
  return {"pixtral",
          {"llama", "mistral3"},
          describe_pixtral,
          kPixtralOutside,
          "vision_tower.transformer.layers.",
          kPixtralLayers};
}

}  // namespace fineprint::models
