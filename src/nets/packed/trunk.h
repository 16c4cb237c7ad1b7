// The layers of a BERT encoder on the CPU, over sequences laid end to end. Free of LibTorch, whose
// calls for each small step of a layer cost more than the step. bert.h has the sources.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {

// int8: weights are codes with a scale for each output, and the rows that they multiply are rounded
// to codes of their own each time. Attention, norms and sums stay float32.
enum class PackedFormat { float32, int8 };

struct TrunkShape {
  std::int64_t hidden = 0, heads = 0, intermediate = 0;
  float norm_eps = 0;
  PackedFormat format = PackedFormat::float32;
};

// A matrix [out, in] and its bias [out], row-major; both in float32.
struct DenseWeights {
  const float* matrix = nullptr;
  const float* bias = nullptr;
};
struct NormWeights {
  const float* weight = nullptr;  // [hidden]
  const float* bias = nullptr;    // [hidden]
};
struct LayerWeights {
  DenseWeights query, key, value, attention_output;  // hidden -> hidden
  NormWeights attention_norm;
  DenseWeights up;    // hidden -> intermediate
  DenseWeights down;  // intermediate -> hidden
  NormWeights output_norm;
};

// S sequences: sequence s is the tokens [offsets[s], offsets[s + 1]).
struct Sequences {
  std::span<const std::int64_t> offsets;   // [S + 1]
  std::span<const std::int64_t> attended;  // [S], at each one's beginning; empty: all
  // What is added to attention: of each sequence of L tokens the kinds of its pairs [L, L], as
  // ByKind has them, or nullptr; and each kind's number.
  std::span<const std::uint8_t* const> relations = {};  // [S]; empty: none
  const float* relation_numbers = nullptr;              // [layers, heads, kBiasKinds]
};

class PackedTrunk {
 public:
  explicit PackedTrunk(const TrunkShape& shape) : shape_(shape) {}
  // Copies the weights.
  void add_layer(const LayerWeights& weights);

  // x [T, hidden], the embeddings, becomes the last hidden states; `tap` is called after each
  // layer. A sequence's result depends on that sequence alone, to the last bit. Runs on the calling
  // thread; safe to call from several.
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
