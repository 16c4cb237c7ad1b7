// Nomic's BERT (nomic-embed-text, arctic-embed-m-long): sentence encoders of long texts. Source:
// Nussbaum et al., "Nomic Embed" (2024), section 4.1.
#include <algorithm>

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

// Translates the configuration's keys, because the models' own code uses other names than most.
JsonFacts in_common_words(const JsonFacts& config) {
  static const std::pair<const char*, const char*> kWords[] = {
      {"n_layer", "num_hidden_layers"},           {"n_embd", "hidden_size"},
      {"n_head", "num_attention_heads"},          {"n_inner", "intermediate_size"},
      {"n_positions", "max_position_embeddings"}, {"layer_norm_epsilon", "layer_norm_eps"},
      {"rotary_emb_base", "rope_theta"},
  };
  Json facts = config.json();
  for (const auto& [own, common] : kWords) {
    if (config.has(own) && !config.has(common)) facts[common] = facts[own];
  }
  return JsonFacts(config.path(), std::move(facts));
}

// Refuses options that would make it another network.
void check_variant(const JsonFacts& config) {
  config.expect_text("model_type", "nomic_bert", false);
  config.expect_text("activation_function", "swiglu", true);
  config.expect_text("hidden_act", "silu", true);
  for (const char* flag : {"prenorm", "parallel_block", "use_rms_norm", "causal", "qkv_proj_bias",
                           "mlp_fc1_bias", "mlp_fc2_bias", "rotary_emb_interleaved"}) {
    config.expect_flag(flag, false);
  }
  if (config.number_or("rotary_emb_fraction", 0, 1, 1) != 1) {
    config.fail("rotary_emb_fraction", "is not 1, which is not supported");
  }
}

RotaryEncoder read_nomic_bert_trunk(const JsonFacts& config) {
  check_variant(config);
  RotaryEncoder encoder = read_rotary_encoder(config);
  encoder.type_vocab_size = config.integer_or("type_vocab_size", 1, 1 << 10, 2);
  encoder.norm_bias = true;
  encoder.fused = false;
  encoder.activation = Activation::silu;
  encoder.norm_eps = config.number_or("layer_norm_eps", 0, 0.1, 1e-12);
  const JsonFacts rope = rope_facts(config);
  rope.expect_text("rope_type", "default", true);
  encoder.rope.theta =
      rope.number_or("rope_theta", 1, 1e12, config.number_or("rope_theta", 1, 1e12, 1000));
  // Beyond the positions of its training, the reference scales frequencies by a text's length. That
  // is not implemented, so texts are cut there.
  const int trained = config.integer_or("max_trained_positions", 3, kMaxPositions, kMaxPositions);
  if (config.has("rotary_scaling_factor")) {
    encoder.max_positions = std::min(encoder.max_positions, trained);
  }
  return encoder;
}

const RotaryNames kNomicNames = {.embeddings = "embeddings.word_embeddings",
                                 .embedding_norm = "emb_ln",
                                 .layers = "encoder.layers",
                                 .qkv = "attn.Wqkv",
                                 .attention_output = "attn.out_proj",
                                 .attention_norm = "norm1",
                                 .up = "mlp.fc11",
                                 .down = "mlp.fc2",
                                 .feed_norm = "norm2",
                                 .gate = "mlp.fc12"};

ModelSpec read_nomic_bert_folder(FolderReader& folder) {
  const RotaryEncoder encoder = read_nomic_bert_trunk(in_common_words(folder.config()));
  ModelSpec spec;
  spec.trunk = encoder;
  spec.parts = {trunk_tensors(encoder, kNomicNames, {"", "bert.", "nomic_bert."})};
  spec.parts.front().unused.push_back("cls.*");
  read_sentence_folder(folder, encoder.max_positions, &spec);
  return spec;
}

}  // namespace

Family nomic_bert_family() {
  return {"nomic_bert", {"NomicBertModel", "NomicBertForPreTraining"}, read_nomic_bert_folder};
}

}  // namespace fineprint::models
