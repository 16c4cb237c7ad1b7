// The layers of a BERT encoder on the CPU, over sequences laid end to end. Does not use LibTorch,
// because its calls for each small step of a layer cost more than the step. bert.h names the
// sources.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {

// The format of weights. int8: weights are codes with a scale for each output, and the rows that
// they multiply are rounded to codes in each call. Attention, norms and sums stay float32.
enum class PackedFormat { float32, int8 };

// Sizes of the network.
struct TrunkShape {
  std::int64_t hidden = 0, heads = 0, intermediate = 0;
  float norm_eps = 0;
  PackedFormat format = PackedFormat::float32;
};

// A matrix [out, in], row-major, and its bias [out]; both in float32.
struct DenseWeights {
  const float* matrix = nullptr;
  const float* bias = nullptr;
};
struct NormWeights {
  const float* weight = nullptr;  // [hidden]
  const float* bias = nullptr;    // [hidden]
};
// The weights of one layer.
struct LayerWeights {
  DenseWeights query, key, value, attention_output;  // hidden -> hidden
  NormWeights attention_norm;
  DenseWeights up;    // hidden -> intermediate
  DenseWeights down;  // intermediate -> hidden
  NormWeights output_norm;
};

// S sequences. Sequence s is the tokens [offsets[s], offsets[s + 1]).
struct Sequences {
  std::span<const std::int64_t> offsets;   // [S + 1]
  std::span<const std::int64_t> attended;  // [S], tokens at its beginning; empty: all
  // Numbers that are added to attention. For each sequence of L tokens, the kinds of its pairs
  // [L, L] as ByKind reads them, or nullptr; and the number of each kind.
  std::span<const std::uint8_t* const> relations = {};  // [S]; empty: none
  const float* relation_numbers = nullptr;              // [layers, heads, kBiasKinds]
};

// The layers. Safe to use from several threads once all layers are added.
class PackedTrunk {
 public:
  explicit PackedTrunk(const TrunkShape& shape) : shape_(shape) {}
  // Copies the weights.
  void add_layer(const LayerWeights& weights);

  // Replaces x [T, hidden], the embeddings, by the last hidden states. Calls `tap` after each
  // layer. The result of a sequence depends only on that sequence, to the last bit. Runs on the
  // calling thread; several threads may call it.
  void run(const Sequences& sequences, float* x, const std::function<void()>& tap = {}) const;

 private:
  using Dense = std::variant<FloatPanels, CodePanels>;
  struct Norm {
    std::vector<float> weight, bias;
  };
  struct Layer {
    Dense input;  // hidden -> query, key and value
    Dense attention_output;
    Norm attention_norm;
    Dense up, down;
    Norm output_norm;
  };
  class Run;

  Dense dense(const float* matrix, const float* bias, std::int64_t out, std::int64_t in) const;
  Dense joined(const LayerWeights& weights) const;
  Norm norm(const NormWeights& weights) const;

  TrunkShape shape_;
  std::vector<Layer> layers_;
};

}  // namespace fineprint::nets
