// Reads passages with the packed trunk alone; computes what nets/encoders/qa_net.cpp computes.
#include "nets/texts/packed_qa_model.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/qa_tokens.h"

#include "nets/encoders/qa_batches.h"
#include "nets/packed/kernel.h"
#include "nets/packed/trunk.h"
#include "nets/texts/plain_values.h"

namespace fineprint::nets {
namespace {

// As for text encoders, see packed_encoder.cpp.
constexpr std::size_t kQaTokensACall = 256;

using FloatValues = std::vector<float>;

static_assert(models::kQaRelations == kBiasKinds);

bool runs_packed_qa(const models::ModelSpec& spec, const models::DeviceOptions& options) {
  const auto* bert = std::get_if<models::TextEncoder>(&spec.trunk);
  if (bert == nullptr || !bert->int8 || bert->distance_kinds > 0 || bert->type_vocab_size == 0) {
    return false;
  }
  const bool on_cpu = options.device == "auto" || options.device == "cpu";
  return spec.head.reads && on_cpu && options.dtype == "auto" && !spec.adapter;
}

// Widens weights by name. Remembers whether one could not be.
class WidenedWeights {
 public:
  explicit WidenedWeights(const models::Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  FloatValues take(const std::string& part, const std::string& name) {
    std::optional<FloatValues> values = widened_values(checkpoint_.at(part, name));
    is_complete_ = is_complete_ && values.has_value();
    return std::move(values).value_or(FloatValues());
  }
  bool is_complete() const { return is_complete_; }

 private:
  const models::Checkpoint& checkpoint_;
  bool is_complete_ = true;
};

// A matrix [out, in] with a bias [out], for the few rows and outputs on top of the trunk.
struct SmallDense {
  FloatValues matrix, bias;

  void apply(const float* x, std::size_t in, float* y) const {
    for (std::size_t o = 0; o < bias.size(); ++o) {
      const float* row = matrix.data() + o * in;
      double sum = bias[o];
      for (std::size_t i = 0; i < in; ++i) sum += static_cast<double>(row[i]) * x[i];
      y[o] = static_cast<float>(sum);
    }
  }
};

double gelu_of(double x) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); }

class PackedQaModel final : public models::QaModel {
 public:
  PackedQaModel(const models::ModelSpec& spec, const models::DeviceOptions& options)
      : spec_(spec),
        bert_(std::get<models::TextEncoder>(spec.trunk)),
        threads_(options.threads > 0 ? options.threads : usable_cores()),
        tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
        layout_(*tokenizer_, spec.prompt.max_tokens),
        checkpoint_(spec),
        trunk_({bert_.hidden, bert_.heads, bert_.intermediate, static_cast<float>(bert_.norm_eps),
                PackedFormat::int8}) {
    checkpoint_.check_finite(threads_);
    is_usable_ = take_weights();
  }

  // False if some weights need the networks' library.
  bool is_usable() const { return is_usable_; }

  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_.hash(); }
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override {
    return relevances(*this, question, passages);
  }
  std::vector<models::PassageReading> read(
      const std::string& question, std::span<const models::QaPassage> passages) const override {
    return read_in_batches(layout_, question, passages, {kQaTokensACall, threads_, threads_},
                           [&](std::span<const models::QaTokens> batch) { return forward(batch); });
  }

 private:
  bool take_weights() {
    WidenedWeights weights(checkpoint_);
    take_embeddings(weights);
    const auto dense = [&](const std::string& part, const std::string& name) {
      return SmallDense{weights.take(part, name + ".weight"), weights.take(part, name + ".bias")};
    };
    for (std::size_t i = 0; i < models::kQaFeatures; ++i) {
      features_[i] = weights.take("reader", std::string(models::kQaFeatureNames[i]) + ".weight");
    }
    dense_ = dense("reader", "passage.dense");
    last_ = dense("reader", "passage.last");
    token_ = dense("reader", "token");
    relation_numbers_ = relation_numbers(weights.take("reader", "attention.weight"));
    for (int i = 0; i < bert_.layers && weights.is_complete(); ++i) {
      const std::string layer = format("encoder.layer.{}.", i), self = layer + "attention.self.";
      const SmallDense query = dense("trunk", self + "query"), key = dense("trunk", self + "key"),
                       value = dense("trunk", self + "value"),
                       output = dense("trunk", layer + "attention.output.dense"),
                       up = dense("trunk", layer + "intermediate.dense"),
                       down = dense("trunk", layer + "output.dense"),
                       attention_norm = dense("trunk", layer + "attention.output.LayerNorm"),
                       output_norm = dense("trunk", layer + "output.LayerNorm");
      if (!weights.is_complete()) return false;
      const auto view = [](const SmallDense& one) {
        return DenseWeights{one.matrix.data(), one.bias.data()};
      };
      trunk_.add_layer({view(query),
                        view(key),
                        view(value),
                        view(output),
                        {attention_norm.matrix.data(), attention_norm.bias.data()},
                        view(up),
                        view(down),
                        {output_norm.matrix.data(), output_norm.bias.data()}});
    }
    return weights.is_complete();
  }

  void take_embeddings(WidenedWeights& weights) {
    const auto table = [&](const char* name) {
      return weights.take("trunk", format("embeddings.{}.weight", name));
    };
    words_ = table("word_embeddings");
    positions_ = table("position_embeddings");
    types_ = table("token_type_embeddings");
    norm_weight_ = table("LayerNorm");
    norm_bias_ = weights.take("trunk", "embeddings.LayerNorm.bias");
  }

  // Returns [layers, heads, kinds] of the stored [kinds, layers * heads].
  FloatValues relation_numbers(const FloatValues& stored) const {
    const auto kinds = static_cast<std::size_t>(models::kQaRelations);
    const std::size_t heads = stored.size() / kinds;  // of all layers
    FloatValues numbers(stored.size());
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      for (std::size_t head = 0; head < heads; ++head) {
        numbers[head * kinds + kind] =
            stored[kind * heads + head] * static_cast<float>(models::kQaRelationFactor);
      }
    }
    return numbers;
  }

  // Writes the sum of a token's embeddings, before the norm, in the order of qa_net.cpp.
  void add_embeddings(const models::QaTokens& sequence, std::size_t token, float* x) const {
    const auto hidden = static_cast<std::size_t>(bert_.hidden);
    const auto row = [&](const FloatValues& table, std::int64_t index) {
      return table.data() + static_cast<std::size_t>(index) * hidden;
    };
    std::array<const float*, models::kQaFeatures> features{};
    for (std::size_t f = 0; f < features.size(); ++f) {
      features[f] = row(features_[f], sequence.features[f][token]);
    }
    const float* word = row(words_, sequence.ids[token]);
    const float* position = row(positions_, sequence.positions[token]);
    const float* type = row(types_, sequence.types[token]);
    for (std::size_t i = 0; i < hidden; ++i) {
      float added = features[0][i];
      for (std::size_t f = 1; f < features.size(); ++f) added += features[f][i];
      x[i] = word[i] + position[i] + type[i] + added * static_cast<float>(models::kQaFeatureFactor);
    }
  }

  QaOutputs forward(std::span<const models::QaTokens> batch) const {
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::vector<std::uint8_t>> kinds;
    std::vector<const std::uint8_t*> relations;
    for (const models::QaTokens& sequence : batch) {
      offsets.push_back(offsets.back() + std::ssize(sequence.ids));
      kinds.push_back(models::qa_relations(sequence));
    }
    for (const auto& one : kinds) relations.push_back(one.empty() ? nullptr : one.data());
    const std::int64_t hidden = bert_.hidden, tokens = offsets.back();
    Lines<float> states(tokens * hidden);
    float* x = states.data();
    for (const models::QaTokens& sequence : batch) {
      for (std::size_t token = 0; token < sequence.ids.size(); ++token, x += hidden) {
        add_embeddings(sequence, token, x);
      }
    }
    const Rows rows = {states.data(), tokens, hidden};
    rows_kernel().norm(
        rows, {norm_weight_.data(), norm_bias_.data(), hidden, static_cast<float>(bert_.norm_eps)},
        rows);
    trunk_.run({offsets, {}, relations, relation_numbers_.data()}, states.data());
    return outputs_of(states.data(), offsets);
  }

  QaOutputs outputs_of(const float* states, std::span<const std::int64_t> offsets) const {
    const auto hidden = static_cast<std::size_t>(bert_.hidden);
    const std::size_t sequences = offsets.size() - 1;
    const auto tokens = static_cast<std::size_t>(offsets.back());
    QaOutputs outputs{FloatValues(sequences * models::kQaPassageNumbers),
                      FloatValues(tokens * models::kQaTokenNumbers)};
    FloatValues inner(dense_.bias.size());
    for (std::size_t s = 0; s < sequences; ++s) {
      dense_.apply(states + static_cast<std::size_t>(offsets[s]) * hidden, hidden, inner.data());
      for (float& value : inner) value = static_cast<float>(gelu_of(value));
      last_.apply(inner.data(), inner.size(),
                  outputs.passages.data() + s * models::kQaPassageNumbers);
    }
    for (std::size_t t = 0; t < tokens; ++t) {
      token_.apply(states + t * hidden, hidden,
                   outputs.tokens.data() + t * models::kQaTokenNumbers);
    }
    return outputs;
  }

  models::ModelSpec spec_;
  models::TextEncoder bert_;
  int threads_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  models::QaLayout layout_;
  models::Checkpoint checkpoint_;
  FloatValues words_, positions_, types_, norm_weight_, norm_bias_;
  std::array<FloatValues, models::kQaFeatures> features_;
  FloatValues relation_numbers_;  // [layers, heads, kinds]
  SmallDense dense_, last_, token_;
  PackedTrunk trunk_;
  bool is_usable_ = false;
};

}  // namespace

std::unique_ptr<models::QaModel> open_packed_qa_model(const models::ModelSpec& spec,
                                                      const models::DeviceOptions& options) {
  if (!runs_packed_qa(spec, options)) return nullptr;
  auto model = std::make_unique<PackedQaModel>(spec, options);
  if (!model->is_usable()) return nullptr;
  return model;
}

}  // namespace fineprint::nets
