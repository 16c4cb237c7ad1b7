// Encoders of texts over sequences laid end to end, so that no padding is ever computed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/weights/weights.h"

namespace fineprint::nets {

// S sequences of T tokens together: sequence s is ids[offsets[s], offsets[s + 1]).
struct PackedTokens {
  std::vector<std::int64_t> ids;            // [T]
  std::vector<std::int64_t> offsets = {0};  // [S + 1]
  // Tokens at each sequence's beginning that are attended to, [S]; empty: all.
  std::vector<std::int64_t> attended = {};
  std::vector<std::int64_t> types = {};  // [T]; empty: all 0
  // Of BERT's alone: where each token stands, [T]; empty: counted in each sequence. And what is
  // added to its embeddings, [T, hidden]; undefined: nothing.
  std::vector<std::int64_t> positions = {};
  at::Tensor added = {};
  // What is added to attention, of BERT's alone as well: for each sequence the kinds of its pairs
  // of tokens, as models::reader_relations has them, or nothing; and each kind's number,
  // [layers, kinds, heads].
  std::vector<std::vector<std::uint8_t>> relations = {};  // [S]; empty: none
  at::Tensor relation_numbers = {};

  std::size_t sequences() const { return offsets.size() - 1; }
};

// Immutable; safe to call from several threads, each on its own, in inference mode.
class TextTrunk {
 public:
  // Sees the embeddings ("hidden0") and each layer's output ("hidden1", ...), [T, hidden].
  using Tap = std::function<void(const std::string& name, const at::Tensor& value)>;

  virtual ~TextTrunk() = default;
  // The last hidden states [T, hidden]. Ids must be below the vocabulary's size and no sequence
  // longer than the positions.
  virtual at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const = 0;
};

// Sizes of a trunk that reads texts.
struct TextTrunkFacts {
  int vocab_size = 0;
  int type_vocab_size = 0;  // 0: tokens have no types
};
// Throws Error(model) for a decoder that generates or sees.
TextTrunkFacts text_trunk_facts(const models::ModelSpec& spec);
std::unique_ptr<TextTrunk> make_text_trunk(const models::ModelSpec& spec, const Weights& weights);

}  // namespace fineprint::nets
