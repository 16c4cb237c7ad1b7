// Facts that several kinds of projectors store in the same way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "fineprint/core/json.h"

#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_names.h"

namespace fineprint::models {

// Returns the id of a token of the language model by its text.
std::optional<std::int64_t> find_token(const GgufFacts& model, const std::string& text);
// Returns the same; throws Error(model) if there is none.
std::int64_t token_id(const GgufFacts& model, const std::string& text);

// Returns the sizes of a tower in the terms of SigLIP's vision_config.
Json vision_sizes(const GgufFacts& clip);
// Returns image_mean and image_std in the terms of preprocessor_config.json.
Json pixel_norm(const GgufFacts& clip);
// Throws Error(model) unless the tower's activation is GELU by tanh.
void expect_gelu(const GgufFacts& clip);

// Names of the layers of SigLIP and CLIP.
inline constexpr std::array<NamedTensor, 8> kSiglipLayers{{
    {"ln1.", "layer_norm1."},
    {"ln2.", "layer_norm2."},
    {"attn_q.", "self_attn.q_proj."},
    {"attn_k.", "self_attn.k_proj."},
    {"attn_v.", "self_attn.v_proj."},
    {"attn_out.", "self_attn.out_proj."},
    {"ffn_up.", "mlp.fc1."},
    {"ffn_down.", "mlp.fc2."},
}};

}  // namespace fineprint::models
