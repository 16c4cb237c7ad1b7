// What a person wants to know of a model folder before using it.
#include "fineprint/models/describe.h"

#include <cmath>
#include <utility>

#include "fineprint/models/retriever.h"
#include "fineprint/models/state_bytes.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {
namespace {

constexpr int kPageWidth = 1240, kPageHeight = 1754;  // A4 at 150 dots per inch
constexpr std::int64_t kStateTokens = 1000;

int trunk_positions(const Trunk& trunk) {
  return std::visit([](const auto& part) { return part.max_positions; }, trunk);
}

// The decoder and what makes logits of its results: the head, or the embeddings.
std::int64_t bytes_a_token(const ModelSpec& spec, const ModelFacts& facts) {
  const auto* decoder = std::get_if<Decoder>(&spec.trunk);
  if (decoder == nullptr || !spec.head.generates) return 0;
  std::int64_t parameters = 0;
  for (const PartFacts& part : facts.parts) {
    if (part.part == "trunk" || part.part == "head") parameters += part.parameters;
  }
  if (!spec.head.tied) parameters -= std::int64_t{decoder->vocab_size} * decoder->hidden;
  // Codes of folders are held in 16 bits, all else as stored.
  const double each = spec.quantisation ? 2
                                        : static_cast<double>(facts.stored_bytes) /
                                              static_cast<double>(facts.parameters);
  return std::llround(static_cast<double>(parameters) * each);
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
  facts.bytes_a_token = bytes_a_token(spec, facts);
  const auto* decoder = std::get_if<Decoder>(&spec.trunk);
  const auto state_of = [&](int bytes) {
    return decoder ? state_bytes(*decoder, kStateTokens, bytes) : 0;
  };
  // Blocks of codes stay what they are, and states beside them are float32.
  if (tensorfile::is_gguf(spec.dir)) {
    facts.memory.push_back({facts.stored_dtype, facts.stored_bytes, state_of(4)});
  }
  for (const auto& [dtype, bytes] : {std::pair{"float32", 4}, std::pair{"bfloat16", 2}}) {
    facts.memory.push_back({dtype, facts.parameters * bytes, state_of(bytes)});
  }
  facts.sees = spec.sees();
  facts.generates = spec.head.generates;
  // What generates from texts alone was not trained to give vectors.
  facts.scores_pairs = spec.head.pair.has_value();
  facts.embeds = !facts.scores_pairs && (spec.sees() || !spec.head.generates);
  facts.many_vectors = spec.head.pooling == Pooling::every_token;
  facts.vector_width = static_cast<std::int64_t>(vector_width(spec));
  if (facts.sees)
    facts.page_tokens = preprocess::plan_pixels(spec.processor, kPageWidth, kPageHeight).tokens;
  facts.max_tokens =
      spec.prompt.max_tokens > 0 ? spec.prompt.max_tokens : trunk_positions(spec.trunk);
  return facts;
}

}  // namespace fineprint::models
