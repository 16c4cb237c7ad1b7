// ColPali: PaliGemma with one projected vector for each token. Source: Faysse et al., "ColPali"
// (2024), section 4.
#include "models/families/family.h"
#include "models/families/paligemma.h"
#include "models/late_pages.h"

namespace fineprint::models {
namespace {

ModelSpec read_colpali_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  ModelSpec spec = read_paligemma(folder, config.object_or_self("vlm_config"));
  spec.prompt.page_text = "{image}<bos>Describe the image.\n";
  add_token_vectors(config, "<bos>Question: ", "<pad>", &spec);
  return spec;
}

}  // namespace

Family colpali_family() {
  return {"colpali", {"ColPaliForRetrieval", "ColPali"}, read_colpali_folder};
}

}  // namespace fineprint::models
