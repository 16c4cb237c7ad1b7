// What a person wants to know of a model folder before using it.
#include "fineprint/models/describe.h"

#include <utility>

#include "fineprint/models/retriever.h"

namespace fineprint::models {
namespace {

constexpr int kPageWidth = 1240, kPageHeight = 1754;  // A4 at 150 dots per inch
constexpr std::int64_t kStateTokens = 1000;

int trunk_positions(const Trunk& trunk) {
  return std::visit([](const auto& part) { return part.max_positions; }, trunk);
}

// Numbers that a decoder keeps of kStateTokens tokens.
std::int64_t state_numbers(const Trunk& trunk) {
  const auto* decoder = std::get_if<Decoder>(&trunk);
  if (decoder == nullptr) return 0;
  return 2 * kStateTokens * decoder->layers * decoder->kv_heads * decoder->head_dim;
}

}  // namespace

ModelFacts describe_model(const ModelSpec& spec, const Checkpoint& checkpoint) {
  ModelFacts facts;
  facts.family = spec.family;
  facts.name = spec.name;
  facts.dir = spec.dir;
  if (spec.adapter) facts.adapter = spec.adapter->dir;
  for (const PartTensors& part : spec.parts) {
    const std::int64_t parameters = checkpoint.parameters(part.part);
    if (parameters > 0) facts.parts.push_back({part.part, parameters});
  }
  facts.parameters = checkpoint.parameters();
  facts.stored_bytes = checkpoint.bytes();
  facts.stored_dtype = checkpoint.dtype();
  const std::int64_t state = state_numbers(spec.trunk);
  for (const auto& [dtype, bytes] : {std::pair{"float32", 4}, std::pair{"bfloat16", 2}}) {
    facts.memory.push_back({dtype, facts.parameters * bytes, state * bytes});
  }
  facts.sees = spec.sees();
  facts.generates = spec.head.generates;
  // What generates from texts alone was not trained to give vectors.
  facts.embeds = spec.sees() || !spec.head.generates;
  facts.many_vectors = spec.head.pooling == Pooling::every_token;
  facts.vector_width = static_cast<std::int64_t>(vector_width(spec));
  if (facts.sees)
    facts.page_tokens = preprocess::plan_pixels(spec.processor, kPageWidth, kPageHeight).tokens;
  facts.max_tokens =
      spec.prompt.max_tokens > 0 ? spec.prompt.max_tokens : trunk_positions(spec.trunk);
  return facts;
}

}  // namespace fineprint::models
