// Describes a model before it is used.
#include "fineprint/models/describe.h"

#include <array>
#include <cmath>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/models/retriever.h"
#include "fineprint/models/state_bytes.h"
#include "fineprint/tensorfile/gguf.h"

#include "models/prompt_marker.h"

namespace fineprint::models {
namespace {

constexpr int kPageWidth = 1240, kPageHeight = 1754;  // A4 at 150 dots per inch
constexpr std::int64_t kStateTokens = 1000;
constexpr std::array<std::int64_t, 3> kContexts{2000, 8000, 32000};

int trunk_positions(const Trunk& trunk) {
  return std::visit([](const auto& part) { return part.max_positions; }, trunk);
}

// Returns the bytes of the experts that do not read a token. All experts of a layer are equally
// large.
std::int64_t idle_bytes(const Decoder& decoder, const Checkpoint& checkpoint) {
  std::int64_t bytes = 0;
  for (int i = 0; i < decoder.layers; ++i) {
    if (!decoder.mixes_experts(i)) continue;
    for (const char* matrix : {"gate_proj", "up_proj", "down_proj"}) {
      const std::string name = format("layers.{}.mlp.experts.0.{}.weight", i, matrix);
      bytes +=
          checkpoint.held_bytes("trunk", name) * (decoder.experts.count - decoder.experts.chosen);
    }
  }
  return bytes;
}

// Counts the decoder and the matrix of logits, which is the head or the embeddings. If it is the
// head, the embeddings are subtracted, because each token reads only one of their rows.
std::int64_t bytes_a_token(const ModelSpec& spec, const Checkpoint& checkpoint) {
  const auto* decoder = std::get_if<Decoder>(&spec.trunk);
  if (decoder == nullptr || !spec.head.generates) return 0;
  const std::int64_t all = checkpoint.held_bytes("trunk") + checkpoint.held_bytes("head") -
                           idle_bytes(*decoder, checkpoint);
  return spec.head.tied ? all : all - checkpoint.held_bytes("trunk", "embed_tokens.weight");
}

// If tokens of a prompt see later ones, the state of a page depends on what follows and cannot be
// used for another prompt.
bool keeps_pages(const ModelSpec& spec, const Decoder& decoder) {
  return spec.sees() && spec.head.generates && !decoder.prompt_bidirectional;
}

// `bytes` is the size of a number in a state. Of `facts`, reads the tokens of a page and the most
// tokens of a sequence.
MemoryNeed need_of(const ModelSpec& spec, const ModelFacts& facts, const std::string& dtype,
                   std::int64_t weight_bytes, int bytes) {
  const std::int64_t max_tokens = facts.max_tokens;
  MemoryNeed need{.dtype = dtype, .weight_bytes = weight_bytes};
  const auto* decoder = std::get_if<Decoder>(&spec.trunk);
  if (decoder == nullptr) return need;
  need.state_bytes = state_bytes(*decoder, kStateTokens, bytes);
  for (const std::int64_t tokens : kContexts) {
    if (tokens >= max_tokens) break;
    need.contexts.push_back({tokens, state_bytes(*decoder, tokens, bytes)});
  }
  need.contexts.push_back({max_tokens, state_bytes(*decoder, max_tokens, bytes)});
  if (keeps_pages(spec, *decoder)) {
    need.page_state_bytes = state_bytes(*decoder, facts.page_tokens, bytes);
  }
  return need;
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
  facts.bytes_a_token = bytes_a_token(spec, checkpoint);
  facts.max_tokens =
      spec.prompt.max_tokens > 0 ? spec.prompt.max_tokens : trunk_positions(spec.trunk);
  facts.sees = spec.sees();
  if (facts.sees) {
    const auto page = preprocess::plan_pixels(spec.processor, kPageWidth, kPageHeight);
    facts.page_tokens = page.tokens + mark_tokens(spec.prompt, page);
  }
  // Codes stay packed where products can use them, and their states are float32.
  if (tensorfile::is_gguf(spec.dir) || spec.quantisation) {
    facts.memory.push_back(need_of(spec, facts, facts.stored_dtype, checkpoint.held_bytes(), 4));
  }
  for (const auto& [dtype, bytes] : {std::pair{"float32", 4}, std::pair{"bfloat16", 2}}) {
    facts.memory.push_back(need_of(spec, facts, dtype, facts.parameters * bytes, bytes));
  }
  facts.generates = spec.head.generates;
  facts.chats = spec.head.generates && spec.prompt.no_chat.empty();
  // A generator that takes only texts was not trained to give vectors.
  facts.scores_pairs = spec.head.pair.has_value();
  facts.judges = judges_pairs(spec);
  facts.reads = spec.head.reads;
  facts.embeds = !facts.scores_pairs && !facts.reads && spec.head.verdicts == 0 &&
                 (spec.sees() || !spec.head.generates);
  facts.many_vectors = spec.head.pooling == Pooling::every_token;
  facts.sparse = spec.head.vocabulary.has_value();
  facts.vector_width = static_cast<std::int64_t>(vector_width(spec));
  facts.projector = spec.projector;
  facts.blind = spec.blind;
  return facts;
}

}  // namespace fineprint::models
