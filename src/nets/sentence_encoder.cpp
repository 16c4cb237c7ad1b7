// A text encoder: tokenizer, BERT and pooling behind the Embedder interface.
#include "nets/sentence_encoder.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/core/InferenceMode.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/threads.h"

#include "nets/batches.h"

namespace fineprint::nets {
namespace {

// Large enough for products near the core's peak, small enough for activations to stay in cache.
constexpr std::size_t kTokensPerBatch = 1024;

int thread_count(const models::DeviceOptions& options) {
  if (options.device != "auto" && options.device != "cpu") {
    throw Error(
        ErrorCode::usage,
        format("device {}: the text encoder runs on the cpu; use auto or cpu", options.device));
  }
  return options.threads > 0 ? options.threads : usable_cores();
}

std::unique_ptr<Bert> load_bert(const models::SentenceEncoderFacts& facts) {
  Weights weights(facts.weights_path, {"", "bert."}, "embeddings.word_embeddings.weight");
  auto bert = std::make_unique<Bert>(facts, &weights);
  weights.expect_all_used();
  return bert;
}

}  // namespace

SentenceEncoder::SentenceEncoder(const models::SentenceEncoderFacts& facts,
                                 const models::DeviceOptions& options)
    : facts_(facts),
      threads_(thread_count(options)),
      tokenizer_(text::Tokenizer::load(facts.tokenizer_path)),
      bert_(load_bert(facts)) {
  if (facts.lower_case && token_ids("A") != token_ids("a")) {
    throw Error(ErrorCode::model,
                format("{}: the model wants lower-cased texts, but its tokenizer keeps capitals",
                       facts.dir));
  }
}

std::string SentenceEncoder::hash() const {
  std::call_once(hash_once_, [this] {
    const auto& f = facts_;
    hash_ = content_hash(format("{} {} layers {} heads {} eps {} cut {} mean {}",
                                file_hash(f.weights_path), file_hash(f.tokenizer_path), f.layers,
                                f.heads, f.layer_norm_eps, f.max_sequence, f.pooling_mean));
  });
  return hash_;
}

std::vector<std::int64_t> SentenceEncoder::token_ids(const std::string& text) const {
  std::vector<text::Token> tokens = tokenizer_->encode(text, true);
  const auto limit = static_cast<std::size_t>(facts_.max_sequence);
  if (tokens.size() > limit) {
    tokens[limit - 1] = tokens.back();  // the closing special token stays
    tokens.resize(limit);
  }
  std::vector<std::int64_t> ids;
  ids.reserve(tokens.size());
  for (const text::Token& token : tokens) {
    if (token.id < 0 || token.id >= facts_.vocab_size) {
      throw Error(ErrorCode::model, format("{}: gives token {}, but the model knows {} tokens",
                                           facts_.tokenizer_path, token.id, facts_.vocab_size));
    }
    ids.push_back(token.id);
  }
  return ids;
}

// Source: Reimers and Gurevych, "Sentence-BERT" (2019), section 3: MEAN and CLS pooling.
at::Tensor SentenceEncoder::pool(const at::Tensor& hidden, const PackedTokens& tokens) const {
  const auto sequences = static_cast<std::int64_t>(tokens.sequences());
  at::Tensor pooled = at::empty({sequences, hidden.size(1)}, hidden.options());  // [S, hidden]
  for (std::int64_t s = 0; s < sequences; ++s) {
    const std::int64_t begin = tokens.offsets[s], length = tokens.offsets[s + 1] - begin;
    pooled[s] = facts_.pooling_mean ? hidden.narrow(0, begin, length).mean(0) : hidden[begin];
  }
  return pooled.div_(pooled.norm(2, -1, true).clamp_min_(1e-12));  // rows of unit length
}

Matrix SentenceEncoder::embed(std::span<const std::string> texts, models::TextRole) const {
  std::vector<std::vector<std::int64_t>> ids(texts.size());
  parallel_for(texts.size(), texts.size() < 8 ? 1 : threads_,
               [&](std::size_t i) { ids[i] = token_ids(texts[i]); });
  std::vector<std::size_t> lengths(texts.size());
  std::transform(ids.begin(), ids.end(), lengths.begin(), [](const auto& v) { return v.size(); });
  const auto batches = make_batches(lengths, kTokensPerBatch, threads_);

  Matrix result{texts.size(), dim(), std::vector<float>(texts.size() * dim())};
  parallel_for(batches.size(), threads_, [&](std::size_t b) {
    at::set_num_threads(1);  // of this thread's products; see the class
    const c10::InferenceMode inference;
    PackedTokens packed;
    for (const std::size_t i : batches[b]) {
      packed.ids.insert(packed.ids.end(), ids[i].begin(), ids[i].end());
      packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
    }
    const at::Tensor rows = pool(bert_->forward(packed), packed);  // [S, hidden]
    const float* row = rows.const_data_ptr<float>();
    for (std::size_t n = 0; n < batches[b].size(); ++n) {
      std::copy_n(row + n * dim(), dim(), result.row(batches[b][n]).begin());
    }
  });
  return result;
}

}  // namespace fineprint::nets
