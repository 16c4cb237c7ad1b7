// Facts that several kinds of projectors store in the same way.
#include "models/gguf/projector_facts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

const std::string kTokenList = "tokenizer.ggml.tokens";

}  // namespace

std::optional<std::int64_t> find_token(const GgufFacts& model, const std::string& text) {
  const std::vector<std::string> tokens = model.texts(kTokenList);
  const auto found = std::ranges::find(tokens, text);
  if (found == tokens.end()) return std::nullopt;
  return found - tokens.begin();
}

std::int64_t token_id(const GgufFacts& model, const std::string& text) {
  const std::optional<std::int64_t> id = find_token(model, text);
  if (!id) model.fail(kTokenList, format("has no token {}", text));
  return *id;
}

Json vision_sizes(const GgufFacts& clip) {
  const std::string prefix = "clip.vision.";
  Json sizes{{"layer_norm_eps", clip.number(prefix + "attention.layer_norm_epsilon")}};
  for (const auto& [key, name] : {std::pair{"embedding_length", "hidden_size"},
                                  {"feed_forward_length", "intermediate_size"},
                                  {"block_count", "num_hidden_layers"},
                                  {"attention.head_count", "num_attention_heads"},
                                  {"image_size", "image_size"},
                                  {"patch_size", "patch_size"}}) {
    sizes[name] = clip.integer(prefix + key);
  }
  return sizes;
}

Json pixel_norm(const GgufFacts& clip) {
  return {{"image_mean", clip.numbers("clip.vision.image_mean")},
          {"image_std", clip.numbers("clip.vision.image_std")}};
}

void expect_gelu(const GgufFacts& clip) {
  if (!clip.flag_or("clip.use_gelu", false)) {
    clip.fail("clip.use_gelu",
              "is not true; towers of this kind with other activations are not "
              "supported");
  }
}

}  // namespace fineprint::models
