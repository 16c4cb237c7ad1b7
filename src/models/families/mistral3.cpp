// Mistral's models, with or without images through Pixtral's tower: Mistral Small 3, Ministral 3,
// Mistral 7B. Sources: Jiang et al., "Mistral 7B" (2023), section 2; Agrawal et al., "Pixtral 12B"
// (2024), section 2.2.
#include <array>
#include <utility>

#include "fineprint/core/format.h"

#include "models/chat_templates.h"
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/parts.h"
#include "models/rope_scaling.h"

namespace fineprint::models {
namespace {

// Prefixes of published checkpoints, as written by transformers 4 and 5.
const Prefixes kMistralOutside{"", "model."};
const Prefixes kMistralTrunk{"language_model.model.", "model.language_model.", "model."};

// Returns the window of all layers; 0: none.
int read_mistral_window(const JsonFacts& text, const Decoder& decoder, bool gguf) {
  const std::string key = "sliding_window";
  // Only the first class of configurations has a window if the key is absent; null means none.
  const bool has_default = !gguf && text.text("model_type").value_or("mistral") == "mistral" &&
                           !text.json().contains(key);
  const int window = text.integer_or(key, 1, kMaxPositions, has_default ? 4096 : kMaxPositions);
  // A window as long as all positions has no effect.
  return window < decoder.max_positions ? window : 0;
}

Decoder read_mistral_trunk(const JsonFacts& text, bool gguf) {
  text.expect_text("hidden_act", "silu", true);
  text.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(text, {.own_layers = true});
  decoder.rope = read_scaled_rope(text, decoder.head_dim);
  decoder.window = read_mistral_window(text, decoder, gguf);
  if (decoder.window > 0) {
    decoder.kinds.assign(static_cast<std::size_t>(decoder.layers), LayerKind::windowed_attention);
    decoder.window_rope = decoder.rope;
  }
  const JsonFacts facts = rope_facts(text);
  decoder.query_growth = facts.number_or("llama_4_scaling_beta", 0, 1024, 0);
  if (decoder.query_growth > 0) {
    decoder.query_growth_every =
        facts.integer("original_max_position_embeddings", 1, kMaxPositions);
  }
  return decoder;
}

// Sets the names of the reference's code as the second names of the tower's tensors.
void name_as_pixtral(PartTensors* tower) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kPieces{{
      {"patch_embed.proj.", "patch_conv."},
      {"pre_norm.", "ln_pre."},
      {"blocks.", "transformer.layers."},
      {"norm1.", "attention_norm."},
      {"norm2.", "ffn_norm."},
      {"attn.q.", "attention.q_proj."},
      {"attn.k.", "attention.k_proj."},
      {"attn.v.", "attention.v_proj."},
      {"attn.proj.", "attention.o_proj."},
      {"mlp.", "feed_forward."},
  }};
  for (TensorSpec& tensor : tower->tensors) {
    std::string name = tensor.name;
    for (const auto& [ours, theirs] : kPieces) {
      const std::size_t at = name.find(ours);
      const bool whole = at == 0 || (at != std::string::npos && name[at - 1] == '.');
      if (whole) name.replace(at, ours.size(), theirs);
    }
    tensor.alternative = name;
  }
}

Activation read_pixtral_activation(const JsonFacts& vision) {
  const std::string name = vision.text("hidden_act").value_or("gelu");
  if (name == "silu") return Activation::silu;
  if (name != "gelu") {
    vision.fail("hidden_act", format("is \"{}\"; gelu and silu are supported", name));
  }
  return Activation::gelu;
}

NativeTower read_pixtral_tower(const JsonFacts& vision, const JsonFacts& config) {
  vision.expect_text("model_type", "pixtral", true);
  NativeTower tower;
  tower.layers = vision.integer_or("num_hidden_layers", 1, kMaxLayers, 24);
  tower.hidden = vision.integer_or("hidden_size", 1, kMaxWidth, 1024);
  tower.heads = vision.integer_or("num_attention_heads", 1, kMaxHeads, 16);
  check_heads(vision, "num_attention_heads", tower.heads, tower.hidden);
  if (tower.hidden / tower.heads % 4 != 0) {
    vision.fail("num_attention_heads",
                "gives heads that cannot be rotated in two dimensions; make their width a "
                "multiple of 4");
  }
  expect_integer(vision, "head_dim", tower.hidden / tower.heads);
  tower.intermediate = vision.integer_or("intermediate_size", 1, kMaxInner, 4096);
  tower.patch = vision.integer_or("patch_size", 1, 256, 16);
  expect_integer(vision, "num_channels", 3);
  tower.merge = config.integer_or("spatial_merge_size", 1, 16, 2);
  tower.temporal = 1;
  tower.norm = NormKind::rms;
  tower.norm_eps = 1e-5;
  tower.gated = true;
  tower.activation = read_pixtral_activation(vision);
  tower.rope_theta = read_rope_theta(vision);
  tower.alternating_frequencies = tower.norm_before = true;
  tower.frames_apart = tower.qkv_apart = true;
  tower.bias = false;
  return tower;
}

preprocess::PatchProcessor read_pixtral_processor(FolderReader& folder, const NativeTower& tower) {
  const JsonFacts facts = folder.preprocessor();
  preprocess::PatchProcessor processor;
  processor.patch = tower.patch;
  processor.temporal = tower.temporal;
  processor.merge = tower.merge;
  processor.longest_edge =
      facts.object_or_self("size").integer_or("longest_edge", 1, 1 << 14, 1024);
  // Pillow's number of the bicubic filter.
  expect_integer(facts, "resample", 3);
  processor.norm = read_pixel_norm(facts);
  if (const auto file = folder.find_file("processor_config.json")) {
    expect_integer(*file, "patch_size", tower.patch);
    if (file->has("spatial_merge_size")) expect_integer(*file, "spatial_merge_size", tower.merge);
  }
  return processor;
}

Prompt pixtral_prompt(const JsonFacts& config, const Decoder& decoder, int merge) {
  Prompt prompt;
  prompt.slots = ImageSlots::in_rows;
  prompt.image_marker = "[IMG]";
  prompt.row_marks = {.row_end = "[IMG_BREAK]", .last_end = "[IMG_END]"};
  const std::string key = config.has("image_token_index") ? "image_token_index" : "image_token_id";
  prompt.image_token = config.with_defaults({{key, 10}}).integer(key, 0, decoder.vocab_size - 1);
  prompt.merge = merge;
  prompt.add_special = true;
  return prompt;
}

PatchMergeConnector read_patch_merge(const JsonFacts& config, const NativeTower& tower,
                                     const Decoder& decoder) {
  config.expect_text("projector_hidden_act", "gelu", true);
  if (config.has("vision_feature_layer")) expect_integer(config, "vision_feature_layer", -1);
  return {tower.merge, tower.hidden, decoder.hidden, decoder.norm_eps,
          config.flag_or("multimodal_projector_bias", false)};
}

// GGUF files keep the rows of the tower's queries and keys in the order of the first
// implementation, as they do the decoder's.
void mark_interleaved_tower(int heads, PartTensors* tower) {
  for (TensorSpec& tensor : tower->tensors) {
    const bool turned =
        tensor.name.ends_with("attn.q.weight") || tensor.name.ends_with("attn.k.weight");
    if (turned) tensor.interleaved_heads = heads;
  }
}

ModelSpec read_mistral3_seeing(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts text = config.object("text_config");
  const Decoder decoder = read_mistral_trunk(text, folder.is_gguf());
  const NativeTower tower = read_pixtral_tower(config.object("vision_config"), config);
  const PatchMergeConnector connector = read_patch_merge(config, tower, decoder);
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = decoder;
  spec.head.generates = true;
  spec.head.tied = read_tied(config, text, false);
  spec.processor = read_pixtral_processor(folder, tower);
  spec.prompt = pixtral_prompt(config, decoder, tower.merge);
  read_chat(folder, &spec.prompt);
  const JsonFacts& ends =
      config.has("eos_token_id") ? config : text.with_defaults({{"eos_token_id", 2}});
  spec.generation = read_generation(folder, ends, decoder.vocab_size);
  PartTensors tower_part = tower_tensors(tower, combine(kMistralOutside, {"vision_tower."}));
  name_as_pixtral(&tower_part);
  if (folder.is_gguf()) {
    mark_interleaved_tower(tower.heads, &tower_part);
    // The embedding of a token that the language model has too.
    tower_part.unused.emplace_back("v.token_embd.img_break");
  }
  spec.parts = {tower_part,
                connector_tensors(connector, combine(kMistralOutside, {"multi_modal_projector."})),
                llama_trunk_tensors(folder, decoder, kMistralTrunk),
                head_tensors(spec.head, decoder, {"", "language_model."})};
  return spec;
}

ModelSpec read_mistral3_folder(FolderReader& folder) {
  if (folder.config().has("vision_config")) return read_mistral3_seeing(folder);
  const JsonFacts text = folder.config().object_or_self("text_config");
  const Decoder decoder = read_mistral_trunk(text, folder.is_gguf());
  ModelSpec spec = finish_llama(folder, decoder, {.prefixes = kMistralTrunk});
  spec.parts.front() = llama_trunk_tensors(folder, decoder, kMistralTrunk);
  return spec;
}

}  // namespace

Family mistral3_family() {
  return {"mistral3",
          {"Mistral3ForConditionalGeneration", "Ministral3ForCausalLM", "MistralForCausalLM"},
          read_mistral3_folder};
}

}  // namespace fineprint::models
