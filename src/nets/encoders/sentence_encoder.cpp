// Makes text vectors: implements TextOnlyEncoder with a tokenizer, a trunk and pooling.
#include "nets/encoders/sentence_encoder.h"

#include <algorithm>

#include "fineprint/core/threads.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/encoders/batches.h"
#include "nets/encoders/pooling.h"
#include "nets/encoders/sentence_tokens.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {
namespace {

// Large enough for products near the core's peak, and small enough for activations in its cache.
constexpr std::size_t kTokensPerBatch = 256;
// A GPU needs more tokens to be busy.
constexpr std::size_t kTokensPerGpuBatch = 1024;

}  // namespace

SentenceEncoder::SentenceEncoder(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      facts_(text_trunk_facts(spec)),
      device_(device),
      tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)) {
  check_letter_case(spec_, *tokenizer_);
  const Running running(device);
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  trunk_ = make_text_trunk(spec, weights);
  dense_ = DenseStack(spec.head.dense, weights);
}

std::vector<std::int64_t> SentenceEncoder::token_ids(const std::string& text) const {
  return sentence_tokens(spec_, *tokenizer_, facts_.vocab_size, text);
}

// Dense layers come after pooling, and vectors are normalised last.
at::Tensor SentenceEncoder::unit_vectors(const PackedTokens& tokens) const {
  const at::Tensor hidden = trunk_->forward(tokens);
  return unit_rows(dense_.apply_to(pool_sequences(spec_.head.pooling, hidden, tokens)));
}

Matrix SentenceEncoder::embed(std::span<const std::string> texts, models::TextRole role) const {
  return with_all_errors(name(), [&] { return vectors(texts, role); });
}

Matrix SentenceEncoder::vectors(std::span<const std::string> texts, models::TextRole role) const {
  const std::string& prefix =
      role == models::TextRole::query ? spec_.prompt.query_prefix : spec_.prompt.passage_prefix;
  std::vector<std::vector<std::int64_t>> ids(texts.size());
  // Tokenising a few texts takes less time than starting threads.
  parallel_for(texts.size(), texts.size() < 8 ? 1 : device_.threads,
               [&](std::size_t i) { ids[i] = token_ids(prefix + texts[i]); });
  std::vector<std::size_t> lengths(texts.size());
  std::transform(ids.begin(), ids.end(), lengths.begin(), [](const auto& v) { return v.size(); });
  const bool on_cpu = device_.device.is_cpu();
  const int side_by_side = on_cpu ? device_.threads : 1;
  const auto batches =
      make_batches(lengths, on_cpu ? kTokensPerBatch : kTokensPerGpuBatch, side_by_side);

  Matrix result{texts.size(), dim(), std::vector<float>(texts.size() * dim())};
  parallel_for(batches.size(), side_by_side, [&](std::size_t b) {
    const Running running({device_.device, device_.dtype, 1});
    PackedTokens packed;
    for (const std::size_t i : batches[b]) {
      packed.ids.insert(packed.ids.end(), ids[i].begin(), ids[i].end());
      packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
    }
    const at::Tensor rows = unit_vectors(packed).cpu();  // [S, hidden]
    const float* row = rows.const_data_ptr<float>();
    for (std::size_t n = 0; n < batches[b].size(); ++n) {
      std::copy_n(row + n * dim(), dim(), result.row(batches[b][n]).begin());
    }
  });
  return result;
}

void SentenceEncoder::trace(const std::string& text, const TextTrunk::Tap& tap) const {
  const Running running(device_);
  PackedTokens packed;
  packed.ids = token_ids(text);
  packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
  trunk_->forward(packed, tap);
}

}  // namespace fineprint::nets
