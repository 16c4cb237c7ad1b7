// ColPali: a vector a token, projected. Source: Faysse et al., "ColPali" (2024), section 4.
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/paligemma.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// Tokens that every query ends with; they take part in the score.
constexpr int kFillTokens = 10;

ModelSpec read_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  ModelSpec spec = read_paligemma(folder, config.object_or_self("vlm_config"));
  const int hidden = std::get<Decoder>(spec.trunk).hidden;
  spec.head.generates = spec.head.tied;  // the retriever's checkpoints hold no head of their own
  spec.head.pooling = Pooling::every_token;
  spec.head.projection = config.integer_or("embedding_dim", 1, kMaxWidth, 128);
  spec.head.projection_bias = true;
  spec.parts.push_back(
      projection_tensors(spec.head, hidden, {"embedding_proj_layer.", "custom_text_proj."}));
  spec.prompt.page_text = "{image}<bos>Describe the image.\n";
  spec.prompt.query_text = "<bos>Question: {text}";
  for (int i = 0; i < kFillTokens; ++i) spec.prompt.query_text += "<pad>";
  spec.prompt.query_text += "\n";
  return spec;
}

}  // namespace

Family colpali_family() { return {"colpali", {"ColPaliForRetrieval", "ColPali"}, read_folder}; }

}  // namespace fineprint::models
