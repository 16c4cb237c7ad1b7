// BERT: sentence encoders, sparse encoders, late interaction in PyLate's layout, and
// cross-encoders. Sources: Devlin et al., "BERT" (2019); Reimers and Gurevych, "Sentence-BERT"
// (2019), section 3.
#include "models/families/bert.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

ModelSpec read_bert_folder(FolderReader& folder) {
  const TextEncoder encoder = read_bert(folder.config());
  ModelSpec spec;
  spec.trunk = encoder;
  PartTensors trunk = trunk_tensors(encoder, {"", "bert."});
  trunk.unused.push_back("cls.*");  // heads of pre-training
  spec.parts = {trunk};
  read_text_head(folder,
                 {.pair = {"bert.pooler.dense", "", "classifier"},
                  .vocabulary = {"cls.predictions.transform.dense",
                                 "cls.predictions.transform.LayerNorm", "cls.predictions.bias"}},
                 encoder.hidden, encoder.max_positions, &spec);
  return spec;
}

}  // namespace

TextEncoder read_bert(const JsonFacts& config) {
  config.expect_text("model_type", "bert", false);
  config.expect_text("hidden_act", "gelu", false);
  config.expect_text("position_embedding_type", "absolute", true);
  config.expect_flag("is_decoder", false);
  TextEncoder encoder = read_text_encoder(config);
  encoder.type_vocab_size = config.integer("type_vocab_size", 1, 1 << 10);
  return encoder;
}

Family bert_family() {
  return {
      "bert", {"BertModel", "BertForMaskedLM", "BertForSequenceClassification"}, read_bert_folder};
}

}  // namespace fineprint::models
