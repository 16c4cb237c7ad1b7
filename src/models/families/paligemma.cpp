// PaliGemma: SigLIP, one linear layer, Gemma. Source: Beyer et al., "PaliGemma" (2024),
// section 3.1.
#include "models/families/paligemma.h"

#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// Prefixes of published checkpoints: of the plain model, or nested in a retriever.
const Prefixes kPaligemmaOutside{"", "model.", "vlm.", "vlm.model."};

// Source: Gemma Team, "Gemma" (2024), section 2.
Decoder read_paligemma_trunk(const JsonFacts& text) {
  text.expect_text("model_type", "gemma", true);
  text.expect_flag("attention_bias", false);
  for (const std::string key : {"hidden_activation", "hidden_act"}) {
    // Early configurations contain "gelu" and mean the same.
    const std::string act = text.text(key).value_or("gelu");
    if (act != "gelu_pytorch_tanh" && act != "gelu") {
      text.fail(key, format("is \"{}\"; only \"gelu_pytorch_tanh\" is supported", act));
    }
  }
  Decoder decoder = read_decoder(text, {.head_dim = 256, .max_positions = 8192, .norm_eps = 1e-6});
  decoder.activation = Activation::gelu_tanh;
  decoder.norm_plus_one = true;
  decoder.embedding_scale = std::sqrt(decoder.hidden);
  decoder.prompt_bidirectional = true;
  // The reference counts the positions of this model from 1.
  decoder.first_position = 1;
  const JsonFacts rope = rope_facts(text);
  if (text.has("rope_scaling") || text.has("rope_parameters")) {
    rope.expect_text("rope_type", "default", true);
    rope.expect_text("type", "default", true);
  }
  decoder.rope.theta = read_rope_theta(text);
  return decoder;
}

FixedTower read_paligemma_tower(const JsonFacts& vision) {
  vision.expect_flag("vision_use_head", false);
  return read_siglip_tower(vision);
}

preprocess::SquareProcessor read_paligemma_processor(FolderReader& folder,
                                                     const FixedTower& tower) {
  const JsonFacts facts = folder.preprocessor();
  preprocess::SquareProcessor processor;
  processor.width = processor.height = tower.image_size;
  const int side = tower.image_size / tower.patch;
  processor.tokens = side * side;
  const JsonFacts size = facts.object("size");
  expect_integer(size, "width", tower.image_size);
  expect_integer(size, "height", tower.image_size);
  expect_integer(facts, "image_seq_length", processor.tokens);
  // Pillow's number of the bicubic filter.
  expect_integer(facts, "resample", 3);
  processor.norm = read_pixel_norm(facts);
  return processor;
}

Prompt read_prompt(const JsonFacts& config, const Decoder& decoder) {
  Prompt prompt;
  prompt.image_marker = "<image>";
  const std::string key = config.has("image_token_id") ? "image_token_id" : "image_token_index";
  prompt.image_token = config.integer(key, 0, decoder.vocab_size - 1);
  prompt.chat.before_text = "<bos>";
  prompt.chat.after_user = "\n";
  prompt.page_text = "{image}<bos>{text}\n";
  prompt.query_text = "<bos>{text}\n";
  return prompt;
}

}  // namespace

ModelSpec read_paligemma(FolderReader& folder, const JsonFacts& config) {
  const JsonFacts text = config.object("text_config");
  const Decoder decoder = read_paligemma_trunk(text);
  const FixedTower tower = read_paligemma_tower(config.object("vision_config"));
  expect_integer(config, "projection_dim", decoder.hidden);
  const LinearConnector connector{tower.hidden, decoder.hidden};
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = decoder;
  spec.head.generates = true;
  spec.head.tied = read_tied(config, text, true);
  spec.processor = read_paligemma_processor(folder, tower);
  spec.prompt = read_prompt(config, decoder);
  const JsonFacts& ends = config.has("eos_token_id") ? config : text;
  spec.generation = read_generation(folder, ends, decoder.vocab_size);
  const Prefixes language =
      combine(kPaligemmaOutside, {"language_model.", "language_model.model."});
  spec.parts = {
      tower_tensors(tower,
                    combine(kPaligemmaOutside, {"vision_tower.vision_model.", "vision_tower."})),
      connector_tensors(connector, combine(kPaligemmaOutside, {"multi_modal_projector."})),
      trunk_tensors(decoder, language),
      head_tensors(spec.head, decoder, combine(kPaligemmaOutside, {"", "language_model."}))};
  return spec;
}

Family paligemma_family() {
  return {"paligemma", {"PaliGemmaForConditionalGeneration"}, [](FolderReader& folder) {
            return read_paligemma(folder, folder.config());
          }};
}

}  // namespace fineprint::models
