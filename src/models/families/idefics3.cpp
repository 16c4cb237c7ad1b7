// Idefics3, SmolVLM and granite-docling: SigLIP over tiles, pixel shuffle, Llama. Sources:
// Laurencon et al., "Building and better understanding vision-language models" (2024), section 3.1;
// Marafioti et al., "SmolVLM" (2025), section 2.
#include "models/families/idefics3.h"

#include "fineprint/core/format.h"

#include "models/chat_templates.h"
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/late_pages.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

constexpr int kVectorWidth = 128;

// Prefixes of published checkpoints; the trunk of a GGUF file is directly below "model.".
const Prefixes kIdefics3Outside{"model.", "", "vlm.model."};

// Defaults of the configurations' classes.
Json llama_defaults() {
  return {{"model_type", "llama"},   {"hidden_size", 4096},       {"intermediate_size", 11008},
          {"num_hidden_layers", 32}, {"num_attention_heads", 32}, {"max_position_embeddings", 2048},
          {"rms_norm_eps", 1e-6},    {"vocab_size", 32000}};
}

Decoder read_idefics3_trunk(const JsonFacts& text) {
  text.expect_text("model_type", "llama", true);
  text.expect_flag("qk_layer_norms", false);
  return read_llama_decoder(text);
}

ModelSpec read_idefics3_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts text = config.object("text_config");
  ModelSpec spec = read_idefics3_body(folder, config);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  spec.head.generates = true;
  spec.head.tied = read_tied(config, text, false);
  read_chat(folder, &spec.prompt);
  // Published configurations give the end token at either level.
  const JsonFacts& ends = config.has("eos_token_id") ? config : text;
  spec.generation = read_generation(folder, ends, decoder.vocab_size);
  spec.parts.push_back(head_tensors(spec.head, decoder, {"", "vlm."}));
  return spec;
}

}  // namespace

FixedTower read_idefics3_tower(const JsonFacts& vision) {
  vision.expect_text("hidden_act", "gelu_pytorch_tanh", true);
  FixedTower siglip;
  siglip.layers = 12;
  siglip.hidden = 1152;
  siglip.heads = 16;
  siglip.intermediate = 3072;
  siglip.image_size = 224;
  siglip.patch = 32;
  siglip.patch_bias = siglip.norm_after = siglip.bucketed_positions = true;
  return read_fixed_tower(vision, siglip);
}

ShuffleConnector read_shuffle_connector(const JsonFacts& config, const std::string& key, int absent,
                                        const FixedTower& tower, int out) {
  const ShuffleConnector connector{config.integer_or(key, 1, 64, absent), tower.hidden, out};
  const int side = tower.image_size / tower.patch;
  if (side % connector.merge != 0) {
    config.fail(key, format("is {}, which does not divide the {} patches of a tile's side",
                            connector.merge, side));
  }
  return connector;
}

preprocess::SplitProcessor read_idefics3_processor(FolderReader& folder, const FixedTower& tower,
                                                   const ShuffleConnector& connector) {
  const JsonFacts facts = folder.preprocessor();
  preprocess::SplitProcessor processor;
  const int side = tower.image_size / tower.patch / connector.merge;
  processor.tile = tower.image_size;
  processor.tile_tokens = side * side;
  expect_integer(facts.object("max_image_size"), "longest_edge", processor.tile);
  processor.longest_edge = facts.object("size").integer("longest_edge", 1, 1 << 16);
  processor.split = facts.flag_or("do_image_splitting", true);
  // Pillow's number of the Lanczos filter.
  expect_integer(facts, "resample", 1);
  processor.norm = read_pixel_norm(facts);
  if (const auto file = folder.find_file("processor_config.json")) {
    expect_integer(*file, "image_seq_len", processor.tile_tokens);
  }
  return processor;
}

Prompt idefics3_prompt(std::int64_t image_token) {
  Prompt prompt;
  prompt.slots = ImageSlots::tiled;
  prompt.image_marker = "<image>";
  prompt.image_token = image_token;
  prompt.tile_marks = {.edge = "<fake_token_around_image>",
                       .tile = "<row_{r}_col_{c}>",
                       .whole = "<global-img>",
                       .row_end = "\n"};
  return prompt;
}

ModelSpec read_idefics3_body(FolderReader& folder, const JsonFacts& config) {
  const Decoder decoder =
      read_idefics3_trunk(config.object("text_config").with_defaults(llama_defaults()));
  const FixedTower tower = read_idefics3_tower(config.object("vision_config"));
  const ShuffleConnector connector =
      read_shuffle_connector(config, "scale_factor", 2, tower, decoder.hidden);
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = decoder;
  spec.processor = read_idefics3_processor(folder, tower, connector);
  spec.prompt = idefics3_prompt(config.with_defaults({{"image_token_id", 128257}})
                                    .integer("image_token_id", 0, decoder.vocab_size - 1));
  // A GGUF file stores the language model under the names of a plain Llama.
  Prefixes trunk = combine(kIdefics3Outside, {"text_model."});
  if (folder.is_gguf()) trunk = {"model."};
  spec.parts = {
      tower_tensors(tower, combine(kIdefics3Outside, {"vision_model."})),
      connector_tensors(connector, combine(kIdefics3Outside, {"connector.modality_projection."})),
      llama_trunk_tensors(folder, decoder, trunk)};
  return spec;
}

void add_idefics3_vectors(const std::string& begin, ModelSpec* spec) {
  spec->head.pooling = Pooling::every_token;
  spec->head.projection = kVectorWidth;
  spec->head.projection_bias = true;
  const int hidden = std::visit([](const auto& trunk) { return trunk.hidden; }, spec->trunk);
  spec->parts.push_back(projection_tensors(spec->head, hidden, {"linear.", "custom_text_proj."}));
  set_idefics3_texts(begin, {}, &spec->prompt);
}

void set_idefics3_texts(const std::string& begin, const std::string& before_query, Prompt* prompt) {
  const std::string end = "<end_of_utterance>";
  prompt->page_text = begin + "User:{image}Describe the image." + end + "\nAssistant:";
  prompt->query_text = filled_query(before_query, end);
}

Family idefics3_family() {
  return {"idefics3",
          {"Idefics3ForConditionalGeneration", "SmolVLMForConditionalGeneration"},
          read_idefics3_folder};
}

}  // namespace fineprint::models
