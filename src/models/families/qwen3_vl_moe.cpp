// Qwen3-VL's mixtures of experts. Source: Bai et al., "Qwen3-VL Technical Report" (2025),
// section 2.
#include "models/families/family.h"
#include "models/families/qwen3.h"
#include "models/families/qwen3_vl.h"

namespace fineprint::models {
namespace {

ModelSpec read_qwen3_vl_moe_folder(FolderReader& folder) {
  const JsonFacts text = folder.config().object("text_config");
  Decoder decoder = read_qwen3_vl_trunk(text);
  decoder.experts = read_qwen3_experts(text, decoder.layers);
  decoder.experts.weights_sum_to_one = true;
  decoder.experts.store = ExpertStore::turned_arrays;
  return read_qwen3_vl_around(folder, folder.config(), decoder);
}

}  // namespace

Family qwen3_vl_moe_family() {
  return {"qwen3_vl_moe", {"Qwen3VLMoeForConditionalGeneration"}, read_qwen3_vl_moe_folder};
}

}  // namespace fineprint::models
