// What turns a vision-language model into an encoder with a vector a token.
#include "models/late_pages.h"

#include "models/config_facts.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

constexpr int kFillTokens = 10;

}  // namespace

void add_token_vectors(const JsonFacts& config, const std::string& before, const std::string& fill,
                       ModelSpec* spec) {
  const int hidden = std::get<Decoder>(spec->trunk).hidden;
  spec->head.generates = spec->head.tied;  // a retriever's checkpoint holds no head of its own
  spec->head.pooling = Pooling::every_token;
  spec->head.projection = config.integer_or("embedding_dim", 1, kMaxWidth, 128);
  spec->head.projection_bias = true;
  spec->parts.push_back(
      projection_tensors(spec->head, hidden, {"embedding_proj_layer.", "custom_text_proj."}));
  spec->prompt.query_text = before + "{text}";
  for (int i = 0; i < kFillTokens; ++i) spec->prompt.query_text += fill;
  spec->prompt.query_text += "\n";
}

}  // namespace fineprint::models
