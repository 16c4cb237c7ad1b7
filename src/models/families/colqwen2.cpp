// ColQwen2: a vector a token, projected. Source: Faysse et al., "ColPali" (2024), section 4 and the
// model's card.
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/qwen2_vl.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// Tokens that every query ends with; they take part in the score.
constexpr int kFillTokens = 10;

ModelSpec read_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  ModelSpec spec = read_qwen2_vl(folder, config.object_or_self("vlm_config"));
  const int hidden = std::get<Decoder>(spec.trunk).hidden;
  spec.head.generates = spec.head.tied;  // the retriever's checkpoints hold no head of their own
  spec.head.pooling = Pooling::every_token;
  spec.head.projection = config.integer_or("embedding_dim", 1, kMaxWidth, 128);
  spec.head.projection_bias = true;
  spec.parts.push_back(
      projection_tensors(spec.head, hidden, {"embedding_proj_layer.", "custom_text_proj."}));
  spec.prompt.page_text = "<|im_start|>user\n{image}Describe the image.<|im_end|><|endoftext|>";
  spec.prompt.query_text = "Query: {text}";
  for (int i = 0; i < kFillTokens; ++i) spec.prompt.query_text += "<|endoftext|>";
  spec.prompt.query_text += "\n";
  return spec;
}

}  // namespace

Family colqwen2_family() { return {"colqwen2", {"ColQwen2ForRetrieval", "ColQwen2"}, read_folder}; }

}  // namespace fineprint::models
