// XLM-RoBERTa and RoBERTa: BERT whose positions begin after those of padding, with one token type;
// sentence encoders and cross-encoders. Sources: Conneau et al., "Unsupervised Cross-lingual
// Representation Learning at Scale" (2020); Liu et al., "RoBERTa" (2019).
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

TextEncoder read_xlm_roberta_trunk(const JsonFacts& config) {
  if (config.text("model_type").value_or("") != "roberta") {
    config.expect_text("model_type", "xlm-roberta", false);
  }
  config.expect_text("hidden_act", "gelu", false);
  config.expect_text("position_embedding_type", "absolute", true);
  config.expect_flag("is_decoder", false);
  TextEncoder encoder =
      read_text_encoder(config, config.integer_or("pad_token_id", 0, 1 << 10, 1) + 1);
  encoder.type_vocab_size = config.integer("type_vocab_size", 1, 1 << 10);
  return encoder;
}

ModelSpec read_xlm_roberta_folder(FolderReader& folder) {
  const TextEncoder encoder = read_xlm_roberta_trunk(folder.config());
  ModelSpec spec;
  spec.trunk = encoder;
  PartTensors trunk = trunk_tensors(encoder, {"", "roberta."});
  trunk.unused.push_back("lm_head.*");
  spec.parts = {trunk};
  read_text_head(folder,
                 {.pair = {"classifier.dense", "", "classifier.out_proj"},
                  .vocabulary = {"lm_head.dense", "lm_head.layer_norm", "lm_head.bias"}},
                 encoder.hidden, encoder.max_positions, &spec);
  return spec;
}

}  // namespace

Family xlm_roberta_family() {
  return {"xlm_roberta",
          {"XLMRobertaModel", "XLMRobertaForMaskedLM", "XLMRobertaForSequenceClassification",
           "RobertaModel", "RobertaForMaskedLM", "RobertaForSequenceClassification"},
          read_xlm_roberta_folder};
}

}  // namespace fineprint::models
