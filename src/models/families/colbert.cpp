// ColBERT: BERT with one projected vector for each token. Source: Santhanam et al., "ColBERTv2"
// (2022), 3.1.
#include <algorithm>

#include "models/config_facts.h"
#include "models/families/bert.h"
#include "models/families/family.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

std::string marker(const JsonFacts& facts, const std::string& key) {
  const std::string token = facts.text(key).value_or("");
  if (token.empty()) facts.fail(key, "is missing");
  return token;
}

ModelSpec read_colbert_folder(FolderReader& folder) {
  const TextEncoder encoder = read_bert(folder.config());
  // config.json is only BERT's; ColBERT's own settings are in this file.
  const JsonFacts facts =
      folder.file("artifact.metadata", "without it the lengths and markers are not known");
  facts.expect_text("similarity", "cosine", true);
  ModelSpec spec;
  spec.trunk = encoder;
  spec.head.pooling = Pooling::every_token;
  spec.head.projection = facts.integer("dim", 1, kMaxWidth);
  spec.prompt.add_special = true;
  spec.prompt.query_marker = marker(facts, "query_token_id");
  spec.prompt.passage_marker = marker(facts, "doc_token_id");
  spec.prompt.query_tokens = facts.integer("query_maxlen", 4, encoder.max_positions);
  spec.prompt.passage_tokens = facts.integer("doc_maxlen", 4, encoder.max_positions);
  spec.prompt.max_tokens = std::max(spec.prompt.query_tokens, spec.prompt.passage_tokens);
  spec.prompt.attend_to_fill = facts.flag_or("attend_to_mask_tokens", false);
  spec.prompt.skip_punctuation = facts.flag_or("mask_punctuation", true);
  spec.parts = {trunk_tensors(encoder, {"bert."}),
                projection_tensors(spec.head, encoder.hidden, {"linear."})};
  return spec;
}

}  // namespace

Family colbert_family() { return {"colbert", {"HF_ColBERT"}, read_colbert_folder}; }

}  // namespace fineprint::models
