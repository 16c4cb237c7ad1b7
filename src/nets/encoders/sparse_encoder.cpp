// Weighs every token of the vocabulary for a text.
#include "nets/encoders/sparse_encoder.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/generation/vocabulary.h"

namespace fineprint::nets {
namespace {

TextTrunkFacts sparse_facts(const models::ModelSpec& spec) {
  if (spec.head.vocabulary) return text_trunk_facts(spec);
  throw Error(ErrorCode::model,
              format("{}: {} models give no weights of tokens", spec.dir, spec.family));
}

}  // namespace

SparseEncoder::SparseEncoder(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      facts_(sparse_facts(spec)),
      device_(device),
      tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)) {
  const Running running(device);
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  trunk_ = make_text_trunk(spec, weights);
  head_.emplace(spec, weights, *tokenizer_);
  questions_.emplace(spec, weights, *tokenizer_);
}

std::vector<std::int64_t> SparseEncoder::token_ids(const std::string& text,
                                                   models::TextRole role) const {
  const bool special = role == models::TextRole::passage || !questions_->known();
  std::vector<tokenizer::Token> tokens = tokenizer_->encode(text, special);
  const auto limit = static_cast<std::size_t>(spec_.prompt.max_tokens);
  if (tokens.size() > limit) {
    if (special) tokens[limit - 1] = tokens.back();  // the closing special token stays
    tokens.resize(limit);
  }
  std::vector<std::int64_t> ids;
  for (const tokenizer::Token& token : tokens) {
    check_token(token.id, facts_.vocab_size, spec_.tokenizer_path);
    ids.push_back(token.id);
  }
  return ids;
}

at::Tensor SparseEncoder::weights_of(const std::vector<std::int64_t>& ids,
                                     models::TextRole role) const {
  if (role == models::TextRole::query && questions_->known()) return questions_->weights_of(ids);
  const Running running({device_.device, device_.dtype, 1});
  const PackedTokens packed{ids, {0, static_cast<std::int64_t>(ids.size())}};
  return head_->weights_of(trunk_->forward(packed));
}

std::vector<Matrix> SparseEncoder::embed_images(std::span<const Image>) const {
  throw Error(ErrorCode::usage, format("{} takes no images; use it with texts", name()));
}

// Texts are not packed into batches: the numbers of one text alone are a matrix of its tokens by
// the vocabulary.
std::vector<Matrix> SparseEncoder::embed_texts(std::span<const std::string> texts,
                                               models::TextRole role) const {
  return with_all_errors(name(), [&] {
    std::vector<Matrix> result(texts.size());
    const int side_by_side = device_.device.is_cpu() ? device_.threads : 1;
    parallel_for(texts.size(), side_by_side, [&](std::size_t i) {
      result[i] = entries_of(weights_of(token_ids(texts[i], role), role));
    });
    return result;
  });
}

}  // namespace fineprint::nets
