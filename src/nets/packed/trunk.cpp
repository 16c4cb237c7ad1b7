// Runs the layers of a BERT encoder on the CPU, over sequences laid end to end.
#include "nets/packed/trunk.h"

#include <algorithm>
#include <cmath>

#include "nets/packed/attention.h"

namespace fineprint::nets {
namespace {

constexpr std::int64_t kLineFloats = 16;

// Returns the distance between rows in floats. It is an odd number of cache lines, so that rows
// below each other do not share the cache's sets.
std::int64_t step_for(std::int64_t width) {
  return rounded_up(width, 2 * kLineFloats) + kLineFloats;
}

}  // namespace

// The buffers between the steps of the layers, and the steps.
class PackedTrunk::Run {
 public:
  Run(const TrunkShape& shape, const Sequences& sequences, float* x)
      : shape_(shape),
        sequences_(sequences),
        tokens_(sequences.offsets.back()),
        x_{x, tokens_, shape.hidden},
        wide_step_(step_for(std::max(3 * shape.hidden, shape.intermediate))),
        wide_(tokens_ * wide_step_),
        step_(step_for(shape.hidden)),
        attended_(tokens_ * step_) {
    if (shape.format == PackedFormat::float32) return;
    codes_step_ = step_for(std::max(shape.hidden, shape.intermediate));
    codes_ = Lines<std::uint8_t>(tokens_ * codes_step_ * codes_kernel().code_bytes);
    low_.resize(static_cast<std::size_t>(tokens_));
    scale_.resize(low_.size());
  }

  // Runs one layer in place over x_.
  void pass(const Layer& layer, std::size_t number) {
    // The wide buffer serves twice: for query, key and value, and for the feed-forward layer.
    const Rows wide = {wide_.data(), tokens_, wide_step_};
    const Rows attended = {attended_.data(), tokens_, step_};
    multiply(layer.input, x_, wide, {});
    attend(wide, number, attended);
    multiply(layer.attention_output, attended, x_, {nullptr, x_.values, x_.step, false});
    normalise(layer.attention_norm);
    multiply(layer.up, x_, wide, {nullptr, nullptr, 0, true});
    multiply(layer.down, wide, x_, {nullptr, x_.values, x_.step, false});
    normalise(layer.output_norm);
  }

 private:
  // Rows are quantised in each product, because every product of a layer has other inputs.
  void multiply(const Dense& dense, const ConstRows& x, const Rows& y, Finish finish) {
    if (const auto* panels = std::get_if<FloatPanels>(&dense)) {
      finish.bias = panels->bias();
      rows_kernel().multiply({x, panels->values(), panels->rows(), panels->columns(), y, finish});
      return;
    }
    const auto& panels = std::get<CodePanels>(dense);
    const CodeRows codes = {codes_.data(), x.count, codes_step_, low_.data(), scale_.data()};
    codes_kernel().quantise(x, panels.columns(), codes);
    codes_kernel().multiply({codes, &panels, y, finish});
  }

  void normalise(const Norm& norm) {
    const RowsNorm weights = {norm.weight.data(), norm.bias.data(), shape_.hidden, shape_.norm_eps};
    rows_kernel().norm(x_, weights, x_);
  }

  ByKind bias(std::size_t sequence, std::int64_t head, std::int64_t length) const {
    if (sequences_.relations.empty() || sequences_.relations[sequence] == nullptr) return {};
    return {sequences_.relation_numbers + head * kBiasKinds, sequences_.relations[sequence],
            length};
  }

  // Attention is the one step that must not cross sequences, so it runs sequence by sequence.
  void attend(const Rows& input, std::size_t layer, const Rows& output) {
    for (std::size_t s = 0; s + 1 < sequences_.offsets.size(); ++s) {
      const std::int64_t begin = sequences_.offsets[s];
      const std::int64_t length = sequences_.offsets[s + 1] - begin;
      const std::int64_t seen =
          sequences_.attended.empty() ? length : std::min(sequences_.attended[s], length);
      const std::int64_t width = shape_.hidden / shape_.heads;
      for (std::int64_t head = 0; head < shape_.heads; ++head) {
        const float* query = input.values + begin * input.step + head * width;
        attention_.attend(
            {{query, length, input.step},
             {query + shape_.hidden, seen, input.step},
             {query + 2 * shape_.hidden, seen, input.step},
             width,
             bias(s, static_cast<std::int64_t>(layer) * shape_.heads + head, length)},
            {output.values + begin * output.step + head * width, length, output.step});
      }
    }
  }

  const TrunkShape& shape_;
  const Sequences& sequences_;
  std::int64_t tokens_;
  Rows x_;
  std::int64_t wide_step_;
  Lines<float> wide_;  // [tokens, 3 hidden or intermediate]
  std::int64_t step_;
  Lines<float> attended_;  // [tokens, hidden]
  std::int64_t codes_step_ = 0;
  Lines<std::uint8_t> codes_;
  std::vector<float> low_, scale_;
  PackedAttention attention_;
};

// Lays out the weights of a layer in panels.
void PackedTrunk::add_layer(const LayerWeights& weights) {
  const std::int64_t hidden = shape_.hidden, wide = shape_.intermediate;
  const auto made = [this](const DenseWeights& from, std::int64_t out, std::int64_t in) {
    return dense(from.matrix, from.bias, out, in);
  };
  layers_.push_back({joined(weights), made(weights.attention_output, hidden, hidden),
                     norm(weights.attention_norm), made(weights.up, wide, hidden),
                     made(weights.down, hidden, wide), norm(weights.output_norm)});
}

void PackedTrunk::run(const Sequences& sequences, float* x,
                      const std::function<void()>& tap) const {
  Run run(shape_, sequences, x);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    run.pass(layers_[i], i);
    if (tap) tap();
  }
}

PackedTrunk::Dense PackedTrunk::dense(const float* matrix, const float* bias, std::int64_t out,
                                      std::int64_t in) const {
  if (shape_.format == PackedFormat::int8) return CodePanels(matrix, bias, out, in);
  return FloatPanels(matrix, bias, out, in);
}

// Joins query, key and value into one matrix: they read the same rows, so one product does for all.
PackedTrunk::Dense PackedTrunk::joined(const LayerWeights& weights) const {
  const std::int64_t hidden = shape_.hidden, size = hidden * hidden;
  std::vector<float> matrix(static_cast<std::size_t>(3 * size));
  std::vector<float> bias(static_cast<std::size_t>(3 * hidden), 0.0F);
  std::int64_t part = 0;
  for (const DenseWeights* one : {&weights.query, &weights.key, &weights.value}) {
    std::copy_n(one->matrix, size, matrix.begin() + part * size);
    if (one->bias != nullptr) std::copy_n(one->bias, hidden, bias.begin() + part * hidden);
    ++part;
  }
  return dense(matrix.data(), bias.data(), 3 * hidden, hidden);
}

PackedTrunk::Norm PackedTrunk::norm(const NormWeights& weights) const {
  return {{weights.weight, weights.weight + shape_.hidden},
          {weights.bias, weights.bias + shape_.hidden}};
}

}  // namespace fineprint::nets
