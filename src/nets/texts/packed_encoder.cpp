// Makes text vectors with the packed trunk alone. The weights stay mapped; only the matrices of the
// layers are copied, as codes.
#include "nets/texts/packed_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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
#include "fineprint/models/retriever.h"

#include "nets/encoders/batches.h"
#include "nets/encoders/sentence_tokens.h"
#include "nets/packed/kernel.h"
#include "nets/packed/trunk.h"

namespace fineprint::nets {
namespace {

// Large enough for products near the core's peak, and small enough for activations in its cache.
constexpr std::size_t kTokensACall = 256;

bool runs_packed(const models::ModelSpec& spec, const models::DeviceOptions& options) {
  const auto* bert = std::get_if<models::TextEncoder>(&spec.trunk);
  if (bert == nullptr || !bert->int8 || bert->distance_kinds > 0) return false;
  const models::Head& head = spec.head;
  const bool pools =
      head.pooling == models::Pooling::mean || head.pooling == models::Pooling::first_token;
  const bool gives_vectors = !head.pair && !head.vocabulary && !head.reads && head.dense.empty() &&
                             head.projection == 0 && pools;
  // Codes are multiplied on the CPU even if other models use a GPU.
  const bool is_known =
      options.device == "auto" || options.device == "cpu" || options.device.starts_with("cuda");
  return gives_vectors && is_known && options.dtype == "auto" && !spec.adapter;
}

// Returns the values of a stored weight, or nullptr if it is not plain float32.
const float* plain_values(const models::Weight* weight) {
  if (weight == nullptr) return nullptr;
  const tensorfile::TensorView& view = *weight->view;
  const bool is_plain = view.dtype == tensorfile::Dtype::f32 && !view.blocks && !view.coded &&
                        !view.turned && weight->changes.empty() && weight->interleaved_heads == 0;
  return is_plain ? reinterpret_cast<const float*>(view.bytes.data()) : nullptr;
}

// The trunk's weights by name. Remembers whether one that is needed was not plain.
class PlainWeights {
 public:
  explicit PlainWeights(const models::Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  const float* at(const std::string& name) {
    const float* values = plain_values(&checkpoint_.at("trunk", name));
    is_complete_ = is_complete_ && values != nullptr;
    return values;
  }
  DenseWeights dense(const std::string& name) {
    return {at(name + ".weight"), if_there(name + ".bias")};
  }
  NormWeights norm(const std::string& name) { return {at(name + ".weight"), at(name + ".bias")}; }
  bool is_complete() const { return is_complete_; }

 private:
  const float* if_there(const std::string& name) {
    return checkpoint_.find("trunk", name) == nullptr ? nullptr : at(name);
  }

  const models::Checkpoint& checkpoint_;
  bool is_complete_ = true;
};

struct Embeddings {
  const float* words = nullptr;
  const float* positions = nullptr;
  const float* types = nullptr;  // nullptr: tokens have no types
  NormWeights norm;
};

class PackedEncoder final : public models::TextOnlyEncoder {
 public:
  PackedEncoder(const models::ModelSpec& spec, const models::DeviceOptions& options)
      : spec_(spec),
        bert_(std::get<models::TextEncoder>(spec.trunk)),
        threads_(options.threads > 0 ? options.threads : usable_cores()),
        checkpoint_(spec),
        trunk_({bert_.hidden, bert_.heads, bert_.intermediate, static_cast<float>(bert_.norm_eps),
                PackedFormat::int8}) {
    // Each takes its time. The hash is wanted because every caller compares it with that of its
    // vectors.
    parallel_for(3, std::min(threads_, 3), [&](std::size_t task) {
      if (task == 0) tokenizer_ = models::load_tokenizer(spec_.tokenizer_path);
      if (task == 1) checkpoint_.hash();
      if (task == 2) {
        checkpoint_.check_finite(1);
        is_usable_ = take_weights();
      }
    });
    check_letter_case(spec_, *tokenizer_);
  }

  // False if some weights are not plain float32.
  bool is_usable() const { return is_usable_; }

  std::size_t dim() const override { return models::vector_width(spec_); }
  std::string name() const override { return spec_.name; }
  std::string hash() const override { return checkpoint_.hash(); }
  const tokenizer::Tokenizer& tokenizer() const override { return *tokenizer_; }

  Matrix embed(std::span<const std::string> texts, models::TextRole role) const override {
    const std::string& prefix =
        role == models::TextRole::query ? spec_.prompt.query_prefix : spec_.prompt.passage_prefix;
    std::vector<std::vector<std::int64_t>> ids(texts.size());
    // Tokenising a few texts takes less time than starting threads.
    parallel_for(texts.size(), texts.size() < 8 ? 1 : threads_, [&](std::size_t i) {
      ids[i] = sentence_tokens(spec_, *tokenizer_, bert_.vocab_size, prefix + texts[i]);
    });
    std::vector<std::size_t> lengths;
    for (const auto& one : ids) lengths.push_back(one.size());
    const auto batches = make_batches(lengths, kTokensACall, threads_);
    Matrix result{texts.size(), dim(), std::vector<float>(texts.size() * dim())};
    parallel_for(batches.size(), threads_,
                 [&](std::size_t b) { embed_batch(ids, batches[b], &result); });
    return result;
  }

  // Every row of codes has its own scale, sums of codes are whole numbers, and tokens see only
  // their own text.
  bool same_in_company() const override { return true; }

 private:
  bool take_weights() {
    PlainWeights weights(checkpoint_);
    embeddings_ = {
        weights.at("embeddings.word_embeddings.weight"),
        weights.at("embeddings.position_embeddings.weight"),
        bert_.type_vocab_size > 0 ? weights.at("embeddings.token_type_embeddings.weight") : nullptr,
        weights.norm("embeddings.LayerNorm")};
    std::vector<LayerWeights> layers;
    for (int i = 0; i < bert_.layers; ++i) {
      const std::string layer = format("encoder.layer.{}.", i), self = layer + "attention.self.";
      layers.push_back(
          {weights.dense(self + "query"), weights.dense(self + "key"),
           weights.dense(self + "value"), weights.dense(layer + "attention.output.dense"),
           weights.norm(layer + "attention.output.LayerNorm"),
           weights.dense(layer + "intermediate.dense"), weights.dense(layer + "output.dense"),
           weights.norm(layer + "output.LayerNorm")});
    }
    if (!weights.is_complete()) return false;
    for (const LayerWeights& layer : layers) trunk_.add_layer(layer);
    return true;
  }

  // Writes the sum of a token's embeddings, before the norm.
  void add_embeddings(std::int64_t id, std::int64_t position, float* x) const {
    const std::int64_t hidden = bert_.hidden;
    const float* word = embeddings_.words + id * hidden;
    const float* place = embeddings_.positions + position * hidden;
    for (std::int64_t i = 0; i < hidden; ++i) {
      x[i] = word[i] + place[i] + (embeddings_.types == nullptr ? 0.0F : embeddings_.types[i]);
    }
  }

  void embed_batch(const std::vector<std::vector<std::int64_t>>& ids,
                   const std::vector<std::size_t>& batch, Matrix* result) const {
    std::vector<std::int64_t> offsets = {0};
    for (const std::size_t text : batch) offsets.push_back(offsets.back() + std::ssize(ids[text]));
    const std::int64_t hidden = bert_.hidden, tokens = offsets.back();
    Lines<float> states(tokens * hidden);
    float* x = states.data();
    for (const std::size_t text : batch) {
      std::int64_t position = bert_.first_position;
      for (const std::int64_t id : ids[text]) {
        add_embeddings(id, position++, x);
        x += hidden;
      }
    }
    const Rows rows = {states.data(), tokens, hidden};
    rows_kernel().norm(rows,
                       {embeddings_.norm.weight, embeddings_.norm.bias, hidden,
                        static_cast<float>(bert_.norm_eps)},
                       rows);
    trunk_.run({offsets, {}, {}, nullptr}, states.data());
    for (std::size_t n = 0; n < batch.size(); ++n) {
      pool(states.data(), offsets[n], offsets[n + 1], result->row(batch[n]));
    }
  }

  // Writes the unit vector of the states [begin, end).
  void pool(const float* states, std::int64_t begin, std::int64_t end,
            std::span<float> vector) const {
    const std::int64_t hidden = bert_.hidden;
    if (spec_.head.pooling == models::Pooling::first_token) end = std::min(end, begin + 1);
    for (std::int64_t i = 0; i < hidden; ++i) {
      double sum = 0;
      for (std::int64_t t = begin; t < end; ++t) sum += states[t * hidden + i];
      vector[static_cast<std::size_t>(i)] =
          static_cast<float>(sum / static_cast<double>(std::max<std::int64_t>(1, end - begin)));
    }
    double squares = 0;
    for (const float value : vector) squares += static_cast<double>(value) * value;
    const auto norm = static_cast<float>(std::max(std::sqrt(squares), 1e-12));
    for (float& value : vector) value /= norm;
  }

  models::ModelSpec spec_;
  models::TextEncoder bert_;
  int threads_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  models::Checkpoint checkpoint_;
  Embeddings embeddings_;
  PackedTrunk trunk_;
  bool is_usable_ = false;
};

}  // namespace

std::unique_ptr<models::TextOnlyEncoder> open_packed_encoder(const models::ModelSpec& spec,
                                                             const models::DeviceOptions& options) {
  if (!runs_packed(spec, options)) return nullptr;
  auto encoder = std::make_unique<PackedEncoder>(spec, options);
  if (!encoder->is_usable()) return nullptr;
  return encoder;
}

}  // namespace fineprint::nets
