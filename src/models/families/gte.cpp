// GTE's encoders of long texts (gte-*-v1.5, gte-multilingual, arctic-embed-m-v2.0): sentence
// encoders and cross-encoders. Source: Zhang et al., "mGTE" (2024), section 2.1.
#include <cmath>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

// Scales the base of the frequencies and divides all of them by one factor. Source: the models' own
// code ("ntk"), after Peng and Quesnelle's scaling of the base.
void scale_as_ntk(const JsonFacts& scaling, int head_dim, RotaryEncoder* encoder) {
  const double factor = scaling.number("factor", 1, 1e6);
  if (scaling.has("mixed_b")) scaling.fail("mixed_b", "is set, which is not supported");
  encoder->rope.theta *= factor;
  const std::vector<double> divided(static_cast<std::size_t>(head_dim / 2),
                                    std::pow(factor, 2.0 / head_dim));
  encoder->rope.short_factors = encoder->rope.long_factors = divided;
}

Rope plain_rope(const JsonFacts& config) {
  Rope rope;
  // The default base of this configuration's class differs from most others.
  const JsonFacts facts = rope_facts(config);
  rope.theta = facts.number_or("rope_theta", 1, 1e12, config.number_or("rope_theta", 1, 1e12, 1e4));
  return rope;
}

void read_positions(const JsonFacts& config, RotaryEncoder* encoder) {
  config.expect_text("position_embedding_type", "rope", true);
  config.expect_flag("logn_attention_scale", false);
  config.expect_flag("logn_attention_clip1", false);
  const int head_dim = encoder->hidden / encoder->heads;
  encoder->rope = plain_rope(config);
  const JsonFacts scaling = rope_facts(config);
  const std::string type =
      scaling.text("type").value_or(scaling.text("rope_type").value_or("default"));
  if (type == "ntk") {
    scale_as_ntk(scaling, head_dim, encoder);
  } else if (type == "linear") {
    const std::vector<double> divided(static_cast<std::size_t>(head_dim / 2),
                                      scaling.number("factor", 1, 1e6));
    encoder->rope.short_factors = encoder->rope.long_factors = divided;
  } else if (type != "default") {
    scaling.fail("type", format("is \"{}\"; only ntk and linear are supported", type));
  }
}

RotaryEncoder read_gte_trunk(const JsonFacts& config) {
  if (config.text("model_type").value_or("") != "gte") {
    config.expect_text("model_type", "new", false);
  }
  config.expect_text("hidden_act", "gelu", true);
  config.expect_text("layer_norm_type", "layer_norm", true);
  config.expect_flag("pack_qkv", true);
  RotaryEncoder encoder = read_rotary_encoder(config);
  encoder.type_vocab_size = config.integer_or("type_vocab_size", 0, 1 << 10, 1);
  encoder.norm_bias = encoder.attention_bias = encoder.down_bias = true;
  encoder.gate_first = false;
  encoder.norm_eps = config.number_or("layer_norm_eps", 0, 0.1, 1e-12);
  read_positions(config, &encoder);
  return encoder;
}

const RotaryNames kGteNames = {
    "embeddings.word_embeddings", "embeddings.LayerNorm", "encoder.layer",
    "attention.qkv_proj",         "attention.o_proj",     "attn_ln",
    "mlp.up_gate_proj",           "mlp.down_proj",        "mlp_ln"};

ModelSpec read_gte_folder(FolderReader& folder) {
  const RotaryEncoder encoder = read_gte_trunk(folder.config());
  ModelSpec spec;
  spec.trunk = encoder;
  spec.parts = {trunk_tensors(encoder, kGteNames, {"", "new.", "gte."})};
  PartTensors& trunk = spec.parts.front();
  trunk.unused.insert(trunk.unused.end(), {"lm_head.*", "pooler.*", "new.pooler.*"});
  // Multilingual models have weights of words for sparse retrieval, which are not used.
  for (const std::string& name : folder.config().texts("architectures", 16)) {
    if (name.ends_with("ForTokenClassification")) trunk.unused.emplace_back("classifier.*");
  }
  read_text_head(folder,
                 {.pair = {"new.pooler.dense", "", "classifier"},
                  .vocabulary = {"lm_head.dense", "lm_head.norm", "lm_head.decoder.bias"}},
                 encoder.hidden, encoder.max_positions, &spec);
  return spec;
}

}  // namespace

Family gte_family() {
  return {"gte",
          {"NewModel", "NewForMaskedLM", "NewForSequenceClassification", "GteModel",
           "GteForMaskedLM", "GteForSequenceClassification"},
          read_gte_folder};
}

}  // namespace fineprint::models
