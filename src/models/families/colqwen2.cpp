// ColQwen2: Qwen2-VL with one projected vector for each token. Source: Faysse et al., "ColPali"
// (2024), section 4 and the model's card.
#include "models/families/family.h"
#include "models/families/qwen2_vl.h"
#include "models/late_pages.h"

namespace fineprint::models {
namespace {

ModelSpec read_colqwen2_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  ModelSpec spec = read_qwen2_vl(folder, config.object_or_self("vlm_config"));
  spec.prompt.page_text = "<|im_start|>user\n{image}Describe the image.<|im_end|><|endoftext|>";
  add_token_vectors(config, "Query: ", "<|endoftext|>", &spec);
  return spec;
}

}  // namespace

Family colqwen2_family() {
  return {"colqwen2", {"ColQwen2ForRetrieval", "ColQwen2"}, read_colqwen2_folder};
}

}  // namespace fineprint::models
