// V-SPLADE: SigLIP over tiles, pixel shuffle, ModernBERT, and a weight for every token of the
// vocabulary; questions need no network. Sources: Cho et al., "Inference-Free Multimodal Learned
// Sparse Retrieval for Production-Scale Visual Document Search" (2026), and the classes of
// colpali-engine whose configuration the folders have.
#include <cmath>
#include <string>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/idefics3.h"
#include "models/families/modernbert.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// Published configurations give some sizes and name the models that have the others.
constexpr const char* kTextModel = "jhu-clsp/ettin-encoder-150m";
constexpr const char* kVisionModel = "google/siglip2-base-patch16-512";

Json sizes_of_text_model() {
  return {{"hidden_size", 768},
          {"num_hidden_layers", 22},
          {"num_attention_heads", 12},
          {"intermediate_size", 1152},
          {"vocab_size", 50368},
          {"max_position_embeddings", 7999},
          {"norm_eps", 1e-5},
          {"global_attn_every_n_layers", 3},
          {"local_attention", 128},
          {"global_rope_theta", 160000.0},
          {"local_rope_theta", 160000.0}};
}

// Every SigLIP configuration may leave out the other sizes.
Json sizes_of_vision_model() { return {{"image_size", 512}}; }

// Returns a part of the configuration. Only the known model's sizes may be left out.
JsonFacts part_of(const JsonFacts& config, const std::string& part, const std::string& key,
                  const std::string& known, const Json& sizes) {
  const JsonFacts facts = config.object(part);
  const std::string named = facts.text(key).value_or(known);
  if (named == known) return facts.with_defaults(sizes);
  if (!facts.has("num_attention_heads")) {
    facts.fail(key, format("is \"{}\", whose sizes are not known; only {} may stand for sizes that "
                           "the file leaves out",
                           named, known));
  }
  return facts;
}

RotaryEncoder read_text_part(const JsonFacts& config) {
  const JsonFacts facts =
      part_of(config, "text_config", "text_model_name", kTextModel, sizes_of_text_model());
  RotaryEncoder encoder = read_modernbert_sizes(facts);
  expect_integer(config, "vocab_size", encoder.vocab_size);
  encoder.added_tokens =
      config.integer_or("additional_vocab_size", 0, kMaxVocabulary - encoder.vocab_size, 0);
  return encoder;
}

FixedTower read_vision_part(const JsonFacts& config) {
  const JsonFacts facts =
      part_of(config, "vision_config", "vision_model_name", kVisionModel, sizes_of_vision_model());
  if (!facts.has("embed_dim")) return read_siglip_sizes(facts);
  // colpali-engine's name of the width.
  return read_siglip_sizes(
      facts.with_defaults({{"hidden_size", facts.integer("embed_dim", 1, kMaxWidth)}}));
}

VocabularyHead vocabulary_head(int hidden) {
  VocabularyHead head;
  head.norm_eps = 1e-5;
  head.own_rows = true;
  head.scale = std::pow(hidden, -0.25);
  head.silent = {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"};
  head.query_rows = true;
  return head;
}

ModelSpec read_vsplade_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const RotaryEncoder encoder = read_text_part(config);
  const FixedTower tower = read_vision_part(config);
  const ShuffleConnector connector =
      read_shuffle_connector(config, "pixel_shuffle_factor", 4, tower, encoder.hidden);
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = encoder;
  spec.processor = read_idefics3_processor(folder, tower, connector);
  spec.prompt = idefics3_prompt(
      config.integer("image_token_id", 0, encoder.vocab_size + encoder.added_tokens - 1));
  spec.prompt.add_special = true;
  set_idefics3_texts("<|begin_of_text|>", {}, &spec.prompt);
  spec.head.vocabulary = vocabulary_head(encoder.hidden);
  const std::string body = "encoder.encoder.model.", head = "encoder.mlm_head.";
  PartTensors connecting = connector_tensors(connector, {body + "connector.modality_projection."});
  connecting.tensors.front().alternative = "weight";
  spec.parts = {tower_tensors(tower, {body + "vision_model."}), connecting,
                trunk_tensors(encoder, RotaryNames{}, {body + "text_model."})};
  for (PartTensors& part : vocabulary_tensors(
           *spec.head.vocabulary, encoder.hidden, encoder.vocab_size,
           {head + "dense", head + "norm", head + "decoder.bias", head + "decoder.weight"},
           "query_encoder.")) {
    spec.parts.push_back(std::move(part));
  }
  // SigLIP's own pooling, which is not used.
  spec.parts.front().unused.push_back(body + "vision_model.head.*");
  return spec;
}

}  // namespace

Family vsplade_family() { return {"vsplade", {"BiModernVBert"}, read_vsplade_folder}; }

}  // namespace fineprint::models
