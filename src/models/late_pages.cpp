// Turns a vision-language model into an encoder with one vector for each token.
#include "models/late_pages.h"

#include "models/config_facts.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

constexpr int kFillTokens = 10;

}  // namespace

void add_token_projection(int width, ModelSpec* spec) {
  const int hidden = std::get<Decoder>(spec->trunk).hidden;
  spec->head.generates = spec->head.tied;  // a retriever's checkpoint has no separate head
  spec->prompt.judge.reset();              // because it was trained to give vectors
  spec->head.pooling = Pooling::every_token;
  spec->head.projection = width;
  spec->head.projection_bias = true;
  spec->parts.push_back(
      projection_tensors(spec->head, hidden, {"embedding_proj_layer.", "custom_text_proj."}));
}

std::string filled_query(const std::string& before, const std::string& fill) {
  std::string text = before + "{text}";
  for (int i = 0; i < kFillTokens; ++i) text += fill;
  return text;
}

void add_token_vectors(const JsonFacts& config, const std::string& before, const std::string& fill,
                       ModelSpec* spec) {
  add_token_projection(config.integer_or("embedding_dim", 1, kMaxWidth, 128), spec);
  spec->prompt.query_text = filled_query(before, fill) + "\n";
}

}  // namespace fineprint::models
