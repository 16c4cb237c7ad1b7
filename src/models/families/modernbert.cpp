// ModernBERT: sentence encoders, late interaction in PyLate's layout, and cross-encoders.
// Source: Warner et al., "Smarter, Better, Faster, Longer" (2024), section 2.1.
#include "models/families/modernbert.h"

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"
#include "models/sparse_folder.h"

namespace fineprint::models {
namespace {

// Reads the positions of one layer kind; newer writers put an object for each kind into
// rope_parameters.
Rope read_rope(const JsonFacts& config, const char* kind, const char* flat, double absent) {
  const JsonFacts all = rope_facts(config);
  const JsonFacts own = all.object_or_self(kind);
  own.expect_text("rope_type", "default", true);
  Rope rope;
  rope.theta = own.number_or("rope_theta", 1, 1e12, config.number_or(flat, 1, 1e12, absent));
  return rope;
}

Activation read_gelu(const JsonFacts& config, const char* key) {
  config.expect_text(key, "gelu", true);
  return Activation::gelu;
}

ModelSpec read_modernbert_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const RotaryEncoder encoder = read_modernbert(config);
  ModelSpec spec;
  spec.trunk = encoder;
  PartTensors trunk = trunk_tensors(encoder, {}, {"", "model."});
  spec.parts = {trunk};
  if (is_sparse_folder(folder)) {
    config.expect_flag("decoder_bias", true);
    const VocabularyHead head{.activation = read_gelu(config, "classifier_activation"),
                              .bias = config.flag_or("classifier_bias", false),
                              .norm_bias = encoder.norm_bias,
                              .norm_eps = encoder.norm_eps};
    spec.parts.front().unused.emplace_back("decoder.weight");
    read_sparse_folder(folder, head, {"head.dense", "head.norm", "decoder.bias"},
                       encoder.max_positions, &spec);
    return spec;
  }
  if (!scores_pairs(config)) {
    // Heads of pre-training.
    spec.parts.front().unused.insert(spec.parts.front().unused.end(), {"head.*", "decoder.*"});
    read_sentence_folder(folder, encoder.max_positions, &spec);
    return spec;
  }
  const std::string pooling = config.text("classifier_pooling").value_or("cls");
  if (pooling != "cls") config.expect_text("classifier_pooling", "mean", false);
  spec.head.pooling = pooling == "cls" ? Pooling::first_token : Pooling::mean;
  spec.head.pair = PairScore{.activation = read_gelu(config, "classifier_activation"),
                             .bias = config.flag_or("classifier_bias", false),
                             .norm = true,
                             .norm_bias = encoder.norm_bias,
                             .norm_eps = encoder.norm_eps};
  const PairNames names{"head.dense", "head.norm", "classifier"};
  spec.parts.push_back(pair_tensors(*spec.head.pair, encoder.hidden, names, {""}));
  read_pair_limit(folder, encoder.max_positions, &spec.prompt);
  return spec;
}

}  // namespace

RotaryEncoder read_modernbert(const JsonFacts& config) {
  config.expect_text("model_type", "modernbert", false);
  return read_modernbert_sizes(config);
}

RotaryEncoder read_modernbert_sizes(const JsonFacts& config) {
  RotaryEncoder encoder = read_rotary_encoder(config);
  encoder.norm_first = true;
  encoder.norm_bias = config.flag_or("norm_bias", false);
  encoder.attention_bias = config.flag_or("attention_bias", false);
  encoder.up_bias = encoder.down_bias = config.flag_or("mlp_bias", false);
  encoder.activation = read_gelu(config, "hidden_activation");
  encoder.norm_eps = config.number_or("norm_eps", 0, 0.1, 1e-5);
  encoder.kinds =
      read_layer_kinds(config, encoder.layers, {"sliding_attention", LayerKind::windowed_attention},
                       {config.integer_or("global_attn_every_n_layers", 1, kMaxLayers, 3), true});
  // The configuration gives both sides together.
  encoder.window = config.integer_or("local_attention", 2, kMaxPositions, 128) / 2;
  encoder.rope = read_rope(config, "full_attention", "global_rope_theta", 160000);
  encoder.window_rope = read_rope(config, "sliding_attention", "local_rope_theta", 10000);
  return encoder;
}

Family modernbert_family() {
  return {"modernbert",
          {"ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification"},
          read_modernbert_folder};
}

}  // namespace fineprint::models
