// Qwen2-VL. Source: Wang et al., "Qwen2-VL" (2024).
#include "models/families/qwen2_vl.h"

#include <numeric>

#include "fineprint/core/format.h"

#include "models/families/family.h"
#include "models/parts.h"
#include "models/rope_scaling.h"

namespace fineprint::models {
namespace {

// Prefixes of published checkpoints: of the plain model, or nested in a retriever.
const Prefixes kQwen2VlOutside{"", "model.", "vlm.", "vlm.model."};
const Prefixes kTrunk{"model.",
                      "model.language_model.",
                      "language_model.model.",
                      "vlm.model.",
                      "vlm.model.language_model.",
                      "vlm.language_model.model.",
                      "vlm.language_model.",
                      "language_model."};
const Prefixes kHead{"", "vlm.", "language_model.", "vlm.language_model."};

ChatTemplate qwen2_chat() {
  ChatTemplate chat;
  chat.default_system = "You are a helpful assistant.";
  chat.before_system = "<|im_start|>system\n";
  chat.before_user = "<|im_start|>user\n";
  chat.before_assistant = "<|im_start|>assistant\n";
  chat.after_system = chat.after_user = chat.after_assistant = "<|im_end|>\n";
  return chat;
}

}  // namespace

Prefixes qwen_vl_prefixes(const std::string& name) { return combine(kQwen2VlOutside, {name}); }

Rope read_mrope(const JsonFacts& text, int width) {
  Rope rope = read_scaled_rope(text, width);
  const JsonFacts facts = rope_facts(text);
  for (const std::int64_t section : facts.integers("mrope_section", 3, 0, width)) {
    rope.sections.push_back(static_cast<int>(section));
  }
  const int sum = std::accumulate(rope.sections.begin(), rope.sections.end(), 0);
  // Sections count pairs of values, so they sum to half of the width.
  if (rope.sections.size() != 3 || 2 * sum != width) {
    facts.fail(
        "mrope_section",
        format("must list three sections that sum to {}, half of the rotated width", width / 2));
  }
  return rope;
}

Decoder read_qwen2_decoder(const JsonFacts& text) {
  text.expect_text("hidden_act", "silu", true);
  text.expect_flag("attention_bias", true);
  Decoder decoder = read_decoder(text);
  decoder.qkv_bias = true;
  decoder.rope = read_mrope(text, decoder.head_dim);
  return decoder;
}

Prompt qwen2_prompt(const JsonFacts& config, const JsonFacts& text, int merge) {
  Prompt prompt;
  prompt.image_marker = "<|image_pad|>";
  prompt.image_before = "<|vision_start|>";
  prompt.image_after = "<|vision_end|>";
  prompt.image_token =
      config.integer("image_token_id", 0, text.integer("vocab_size", 1, kMaxVocabulary) - 1);
  prompt.merge = merge;
  prompt.spatial_positions = true;
  prompt.chat = qwen2_chat();
  // The texts with which the published single-vector retrievers of this line read pages and
  // queries. Source: Ma et al., "Unifying Multimodal Retrieval via Document Screenshot Embedding"
  // (2024), and the models' cards. Deviation: theirs put a small black image into every query; here
  // a query has none.
  const ChatTemplate& chat = prompt.chat;
  const std::string opening =
      chat.before_system + chat.default_system + chat.after_system + chat.before_user;
  const std::string closing = chat.after_user + "<|endoftext|>";
  prompt.page_text = opening + "{image}What is shown in this image?" + closing;
  prompt.query_text = opening + "Query: {text}" + closing;
  return prompt;
}

preprocess::PatchProcessor read_qwen2_processor(FolderReader& folder, const NativeTower& tower) {
  const JsonFacts facts = folder.preprocessor();
  preprocess::PatchProcessor processor;
  processor.patch = tower.patch;
  processor.temporal = tower.temporal;
  processor.merge = tower.merge;
  expect_integer(facts, "patch_size", tower.patch);
  expect_integer(facts, "temporal_patch_size", tower.temporal);
  expect_integer(facts, "merge_size", tower.merge);
  // Pillow's number of the bicubic filter.
  expect_integer(facts, "resample", 3);
  const JsonFacts size = facts.object_or_self("size");
  // Older writers give min_pixels and max_pixels, newer ones edges in "size" that also mean pixels.
  const auto pixels = [&](const char* key, const char* in_size, std::int64_t absent) {
    if (facts.has(key)) return std::int64_t{facts.integer(key, 1, 1 << 30)};
    return size.has(in_size) ? std::int64_t{size.integer(in_size, 1, 1 << 30)} : absent;
  };
  processor.min_pixels = pixels("min_pixels", "shortest_edge", processor.min_pixels);
  processor.max_pixels = pixels("max_pixels", "longest_edge", processor.max_pixels);
  // A picture of less than one block would have no token.
  const std::int64_t block = std::int64_t{tower.patch} * tower.merge;
  if (processor.max_pixels < std::max(processor.min_pixels, block * block)) {
    facts.fail("max_pixels",
               format("is {}, less than min_pixels or one block of patches", processor.max_pixels));
  }
  processor.norm = read_pixel_norm(facts);
  return processor;
}

NativeTower read_qwen_tower(const JsonFacts& vision, const NativeTower& absent) {
  NativeTower tower = absent;
  tower.layers = vision.integer_or("depth", 1, kMaxLayers, absent.layers);
  tower.heads = vision.integer_or("num_heads", 1, kMaxHeads, absent.heads);
  tower.patch = vision.integer_or("patch_size", 1, 256, absent.patch);
  tower.temporal = vision.integer_or("temporal_patch_size", 1, 16, absent.temporal);
  tower.merge = vision.integer_or("spatial_merge_size", 1, 16, absent.merge);
  // Two names of one fact: versions of the configuration differ.
  expect_integer(vision, "in_chans", 3);
  expect_integer(vision, "in_channels", 3);
  expect_integer(vision, "spatial_patch_size", tower.patch);
  return tower;
}

ModelSpec finish_qwen_vl(FolderReader& folder, const JsonFacts& config, const NativeTower& tower,
                         const MergeConnector& connector, const Decoder& decoder) {
  check_heads(config, "num_heads", tower.heads, tower.hidden);
  // Each of two dimensions rotates pairs of values.
  if (tower.hidden / tower.heads % 4 != 0) {
    config.fail(
        "vision_config.num_heads",
        "gives heads that cannot be rotated in two dimensions; make their width a multiple of 4");
  }
  const JsonFacts text = config.object_or_self("text_config");
  if (connector.out != decoder.hidden) {
    config.fail("vision_config", format("makes tokens of width {}, but the decoder's is {}",
                                        connector.out, decoder.hidden));
  }
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = decoder;
  spec.head.generates = true;
  spec.head.tied = read_tied(config, text, false);
  spec.processor = read_qwen2_processor(folder, tower);
  spec.prompt = qwen2_prompt(config, text, tower.merge);
  spec.generation = read_generation(folder, text, decoder.vocab_size);
  spec.parts = {tower_tensors(tower, qwen_vl_prefixes("visual.")),
                connector_tensors(connector, qwen_vl_prefixes("visual.merger.")),
                trunk_tensors(decoder, kTrunk), head_tensors(spec.head, decoder, kHead)};
  return spec;
}

ModelSpec read_qwen2_vl(FolderReader& folder, const JsonFacts& config) {
  const JsonFacts vision = config.object("vision_config");
  vision.expect_text("hidden_act", "quick_gelu", true);
  NativeTower tower = read_qwen_tower(vision, {.layers = 32, .heads = 16});
  tower.hidden = vision.integer_or("embed_dim", 1, kMaxWidth, 1280);
  const double ratio = vision.number_or("mlp_ratio", 0.01, 64, 4);
  // This generation gives the inner width as a ratio, later ones as a number.
  tower.intermediate = static_cast<int>(tower.hidden * ratio);
  tower.frames_apart = tower.qkv_apart = folder.is_gguf();
  const MergeConnector connector{tower.norm, tower.merge, tower.hidden,
                                 vision.integer("hidden_size", 1, kMaxWidth), tower.norm_eps};
  return finish_qwen_vl(folder, config, tower, connector,
                        read_qwen2_decoder(config.object_or_self("text_config")));
}

Family qwen2_vl_family() {
  return {"qwen2_vl", {"Qwen2VLForConditionalGeneration"}, [](FolderReader& folder) {
            return read_qwen2_vl(folder, folder.config());
          }};
}

}  // namespace fineprint::models
