// ColIdefics3 and ColSmol: SmolVLM with one projected vector for each token. Source: Faysse et al.,
// "ColPali" (2024), section 4, and colpali-engine's ColIdefics3.
#include "models/families/family.h"
#include "models/families/idefics3.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

ModelSpec read_colidefics3_folder(FolderReader& folder) {
  ModelSpec spec = read_idefics3_body(folder, folder.config());
  // The checkpoint has no separate language head.
  spec.parts.push_back(head_tensors(spec.head, std::get<Decoder>(spec.trunk), {""}));
  add_idefics3_vectors("<|im_start|>", &spec);
  return spec;
}

}  // namespace

Family colidefics3_family() { return {"colidefics3", {"ColIdefics3"}, read_colidefics3_folder}; }

}  // namespace fineprint::models
