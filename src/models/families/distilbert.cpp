// DistilBERT: BERT without token types, with names of its own; sentence encoders and sparse
// encoders. Source: Sanh et al., "DistilBERT" (2019), section 3.
#include <utility>

#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"
#include "models/sparse_folder.h"

namespace fineprint::models {
namespace {

TextEncoder read_distilbert_trunk(const JsonFacts& config) {
  config.expect_text("model_type", "distilbert", false);
  config.expect_text("activation", "gelu", true);
  // transformers' defaults, because configurations leave out values that equal them.
  TextEncoder encoder;
  encoder.layers = config.integer_or("n_layers", 1, kMaxLayers, 6);
  encoder.hidden = config.integer_or("dim", 1, kMaxWidth, 768);
  encoder.heads = config.integer_or("n_heads", 1, kMaxHeads, 12);
  check_heads(config, "n_heads", encoder.heads, encoder.hidden);
  encoder.intermediate = config.integer_or("hidden_dim", 1, kMaxInner, 3072);
  encoder.vocab_size = config.integer_or("vocab_size", 1, kMaxVocabulary, 30522);
  encoder.max_positions = config.integer_or("max_position_embeddings", 3, 1 << 20, 512);
  return encoder;
}

// Adds the names that DistilBERT's checkpoints use in place of BERT's.
void use_distilbert_names(PartTensors* trunk) {
  static const std::pair<std::string, std::string> kNames[] = {
      {"attention.self.query.", "attention.q_lin."},
      {"attention.self.key.", "attention.k_lin."},
      {"attention.self.value.", "attention.v_lin."},
      {"attention.output.dense.", "attention.out_lin."},
      {"attention.output.LayerNorm.", "sa_layer_norm."},
      {"intermediate.dense.", "ffn.lin1."},
      {"output.dense.", "ffn.lin2."},
      {"output.LayerNorm.", "output_layer_norm."},
  };
  const std::string own_layers = "encoder.layer.", layers = "transformer.layer.";
  for (TensorSpec& tensor : trunk->tensors) {
    if (!tensor.name.starts_with(own_layers)) continue;
    const std::size_t begin = tensor.name.find('.', own_layers.size()) + 1;
    for (const auto& [own, published] : kNames) {
      if (tensor.name.compare(begin, own.size(), own) != 0) continue;
      tensor.alternative = layers +
                           tensor.name.substr(own_layers.size(), begin - own_layers.size()) +
                           published + tensor.name.substr(begin + own.size());
    }
  }
}

ModelSpec read_distilbert_folder(FolderReader& folder) {
  const TextEncoder encoder = read_distilbert_trunk(folder.config());
  ModelSpec spec;
  spec.trunk = encoder;
  PartTensors trunk = trunk_tensors(encoder, {"", "distilbert."});
  use_distilbert_names(&trunk);
  trunk.unused.push_back("vocab_*");
  spec.parts = {trunk};
  if (is_sparse_folder(folder)) {
    read_sparse_folder(folder, VocabularyHead{},
                       {"vocab_transform", "vocab_layer_norm", "vocab_projector.bias"},
                       encoder.max_positions, &spec);
  } else {
    read_sentence_folder(folder, encoder.max_positions, &spec);
  }
  return spec;
}

}  // namespace

Family distilbert_family() {
  return {"distilbert", {"DistilBertModel", "DistilBertForMaskedLM"}, read_distilbert_folder};
}

}  // namespace fineprint::models
