// The trunk of text encoders, over sequences laid end to end, so that no padding is ever computed.
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

// S sequences with T tokens in all. Sequence s is ids[offsets[s], offsets[s + 1]); for example,
// offsets {0, 3, 5} are a sequence of three tokens and one of two.
struct PackedTokens {
  std::vector<std::int64_t> ids;            // [T]
  std::vector<std::int64_t> offsets = {0};  // [S + 1]
  // How many tokens at each sequence's beginning are attended to, [S]; empty: all.
  std::vector<std::int64_t> attended = {};
  std::vector<std::int64_t> types = {};  // [T]; empty: all 0
  // Only for BERT: the position of each token, [T]; empty: counted within each sequence. And a
  // tensor that is added to the embeddings, [T, hidden]; undefined: none.
  std::vector<std::int64_t> positions = {};
  at::Tensor added = {};
  // Only for BERT: numbers that are added to attention. `relations` holds the kinds of each
  // sequence's token pairs, as models::qa_relations returns them, or nothing.
  // `relation_numbers` [layers, kinds, heads] holds the number of each kind.
  std::vector<std::vector<std::uint8_t>> relations = {};  // [S]; empty: none
  at::Tensor relation_numbers = {};

  std::size_t sequences() const { return offsets.size() - 1; }
};

// A trunk. Immutable, and safe to call from several threads, each of which must be in inference
// mode.
class TextTrunk {
 public:
  // Receives the embeddings ("hidden0") and each layer's output ("hidden1", ...), [T, hidden].
  using Tap = std::function<void(const std::string& name, const at::Tensor& value)>;

  virtual ~TextTrunk() = default;
  // Returns the last hidden states [T, hidden]. Ids must be below the vocabulary's size, and no
  // sequence may be longer than the positions.
  virtual at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const = 0;
};

// Sizes of a trunk.
struct TextTrunkFacts {
  int vocab_size = 0;
  int type_vocab_size = 0;  // 0: tokens have no types
};
// Returns the sizes of the trunk. Throws Error(model) for a decoder that generates or takes images.
TextTrunkFacts text_trunk_facts(const models::ModelSpec& spec);
// Returns the trunk of the model, with its weights.
std::unique_ptr<TextTrunk> make_text_trunk(const models::ModelSpec& spec, const Weights& weights);

}  // namespace fineprint::nets
