// QA models (models/qa_model.h): BERT with features for a token's place in a table, and heads on
// its states. The format is this program's own.
#include "fineprint/core/format.h"
#include "fineprint/models/qa_tokens.h"

#include "models/config_facts.h"
#include "models/families/bert.h"
#include "models/families/family.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

ModelSpec read_qa_model_folder(FolderReader& folder) {
  TextEncoder encoder = read_bert(folder.config());
  encoder.int8 = folder.config().has("quantization_config");
  ModelSpec spec;
  spec.trunk = encoder;
  spec.head.reads = true;
  spec.prompt.max_tokens = encoder.max_positions;
  spec.parts = {trunk_tensors(encoder, {""}), qa_tensors(encoder)};
  return spec;
}

}  // namespace

PartTensors qa_tensors(const TextEncoder& encoder) {
  const int hidden = encoder.hidden;
  PartTensors part = {"reader", {"reader."}, {}, {}};
  for (std::size_t i = 0; i < kQaFeatures; ++i) {
    part.tensors.push_back(
        {format("{}.weight", kQaFeatureNames[i]), {kQaFeatureSizes[i], hidden}, {}});
  }
  part.tensors.push_back({"attention.weight", {kQaRelations, encoder.layers * encoder.heads}, {}});
  const auto add = [&](const std::string& name, int out) {
    part.tensors.push_back({name + ".weight", {out, hidden}, {}});
    part.tensors.push_back({name + ".bias", {out}, {}});
  };
  add("passage.dense", hidden);
  add("passage.last", kQaPassageNumbers);
  add("token", kQaTokenNumbers);
  return part;
}

Family qa_model_family() {
  return {"reader", {std::string(kQaArchitecture)}, read_qa_model_folder};
}

}  // namespace fineprint::models
