// ColQwen3: Qwen3-VL with one projected vector for each token. Sources: Faysse et al., "ColPali"
// (2024), section 4, and the reference's code (colpali-engine).
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/qwen3_vl.h"
#include "models/late_pages.h"

namespace fineprint::models {
namespace {

// Reads the width, which publishers store under different names.
int read_width(const JsonFacts& config) {
  constexpr int kWidth = 320;  // the reference's default
  for (const char* key : {"embed_dim", "embedding_dim", "dims", "dim"}) {
    if (config.has(key)) return config.integer(key, 1, kMaxWidth);
  }
  return kWidth;
}

ModelSpec read_colqwen3_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  ModelSpec spec = read_qwen3_vl(folder, config.object_or_self("vlm_config"));
  add_token_projection(read_width(config), &spec);
  spec.prompt.page_text = "<|im_start|>user\n{image}Describe the image.<|im_end|><|endoftext|>";
  spec.prompt.query_text = filled_query("Query: ", "<|endoftext|>");
  spec.prompt.passage_text = "{text}";
  return spec;
}

}  // namespace

Family colqwen3_family() {
  return {"colqwen3", {"ColQwen3", "ColQwen3ForRetrieval"}, read_colqwen3_folder};
}

}  // namespace fineprint::models
