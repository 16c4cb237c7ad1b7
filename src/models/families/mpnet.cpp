// MPNet: BERT whose attention depends on the distance of two tokens; sentence encoders. Source:
// Song et al., "MPNet" (2020), section 2.3.
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

// The reference always uses this number, whatever the configuration says.
constexpr int kDistanceKinds = 32;

TextEncoder read_mpnet_trunk(const JsonFacts& config) {
  config.expect_text("model_type", "mpnet", false);
  config.expect_text("hidden_act", "gelu", true);
  expect_integer(config, "relative_attention_num_buckets", kDistanceKinds);
  TextEncoder encoder = read_text_encoder(config, 2);
  encoder.distance_kinds = kDistanceKinds;
  return encoder;
}

// Adds the names that MPNet's checkpoints use in place of BERT's.
void use_published_names(PartTensors* trunk) {
  static const std::pair<std::string, std::string> kNames[] = {
      {".attention.self.query.", ".attention.attn.q."},
      {".attention.self.key.", ".attention.attn.k."},
      {".attention.self.value.", ".attention.attn.v."},
      {".attention.output.dense.", ".attention.attn.o."},
      {".attention.output.LayerNorm.", ".attention.LayerNorm."},
  };
  for (TensorSpec& tensor : trunk->tensors) {
    for (const auto& [own, published] : kNames) {
      const std::size_t at = tensor.name.find(own);
      if (at == std::string::npos) continue;
      tensor.alternative = tensor.name;
      tensor.alternative.replace(at, own.size(), published);
    }
  }
}

ModelSpec read_mpnet_folder(FolderReader& folder) {
  const TextEncoder encoder = read_mpnet_trunk(folder.config());
  ModelSpec spec;
  spec.trunk = encoder;
  PartTensors trunk = trunk_tensors(encoder, {"", "mpnet."});
  use_published_names(&trunk);
  trunk.unused.push_back("lm_head.*");
  spec.parts = {trunk};
  read_sentence_folder(folder, encoder.max_positions, &spec);
  return spec;
}

}  // namespace

Family mpnet_family() { return {"mpnet", {"MPNetModel", "MPNetForMaskedLM"}, read_mpnet_folder}; }

}  // namespace fineprint::models
