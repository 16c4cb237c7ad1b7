// Makes one short vector for every token of a query or passage (late interaction).
#include "nets/encoders/late_text_encoder.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/generation/vocabulary.h"
#include "nets/layers/layers.h"
#include "nets/weights/matrices.h"

namespace fineprint::nets {
namespace {

// The mask tokens of BERT and of XLM-R, which fill short queries.
constexpr const char* kFill = "[MASK]";
constexpr const char* kOtherFill = "<mask>";
// ASCII punctuation, whose vectors a passage drops.
constexpr const char* kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

// Inserts the marker after the first token. A text over the limit loses its last tokens, but keeps
// its closing special token.
void mark(std::optional<std::int64_t> marker, std::size_t limit, std::vector<std::int64_t>* ids) {
  if (marker) ids->insert(ids->begin() + 1, *marker);
  if (ids->size() <= limit) return;
  (*ids)[limit - 1] = ids->back();
  ids->resize(limit);
}

TextTrunkFacts late_facts(const models::ModelSpec& spec) {
  if (spec.head.projection > 0 || !spec.head.dense.empty()) return text_trunk_facts(spec);
  throw Error(ErrorCode::model,
              format("{}: {} models give no vectors of tokens", spec.dir, spec.family));
}

}  // namespace

LateTextEncoder::LateTextEncoder(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      facts_(late_facts(spec)),
      device_(device),
      tokenizer_(tokenizer::Tokenizer::load(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)),
      query_marker_(marker_id(spec.prompt.query_marker)),
      passage_marker_(marker_id(spec.prompt.passage_marker)) {
  if (spec.prompt.fill_queries) {
    fill_ = special_id(tokenizer_->id_of(kFill) < 0 ? kOtherFill : kFill);
  }
  const Running running(device);
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  trunk_ = make_text_trunk(spec, weights);
  if (spec.head.projection > 0) {
    projection_.weight.values = weights.take("projection", "weight");
    projection_.bias = weights.take_if_there("projection", "bias");
  }
  dense_ = DenseStack(spec.head.dense, weights);
  find_skipped();
}

void LateTextEncoder::find_skipped() {
  for (const char* c = kPunctuation; *c != '\0' && spec_.prompt.skip_punctuation; ++c) {
    // The reference keeps the first id of each. A vocabulary that lacks a character thus skips its
    // unknown token.
    const std::vector<tokenizer::Token> ids = tokenizer_->encode(std::string(1, *c), false);
    if (!ids.empty()) skipped_.push_back(ids[0].id);
  }
  for (const std::string& token : spec_.prompt.skipped_tokens) {
    if (const std::int32_t id = tokenizer_->id_of(token); id >= 0) skipped_.push_back(id);
  }
  std::sort(skipped_.begin(), skipped_.end());
}

std::optional<std::int64_t> LateTextEncoder::marker_id(const std::string& token) const {
  return token.empty() ? std::nullopt : std::optional(special_id(token));
}

// Returns the id of a special token, and throws if the tokenizer lacks it.
std::int64_t LateTextEncoder::special_id(const std::string& token) const {
  const std::int32_t id = tokenizer_->id_of(token);
  if (id < 0) {
    throw Error(ErrorCode::model, format("{}: the tokenizer has no token {}, which the model needs",
                                         spec_.tokenizer_path, token));
  }
  check_token(id, facts_.vocab_size, spec_.tokenizer_path);
  return id;
}

std::vector<Matrix> LateTextEncoder::embed_images(std::span<const Image>) const {
  throw Error(ErrorCode::usage, format("{} takes no images; use it with texts", name()));
}

std::vector<Matrix> LateTextEncoder::embed_texts(std::span<const std::string> texts,
                                                 models::TextRole role) const {
  return with_all_errors(name(), [&] { return kept_vectors(texts, role); });
}

// Texts are not packed into batches: a thread reads one text at a time.
std::vector<Matrix> LateTextEncoder::kept_vectors(std::span<const std::string> texts,
                                                  models::TextRole role) const {
  std::vector<Matrix> result(texts.size());
  const int side_by_side = device_.device.is_cpu() ? device_.threads : 1;
  parallel_for(texts.size(), side_by_side, [&](std::size_t i) {
    const Tokens read = tokens(texts[i], role);
    const Matrix all = vectors(read);
    Matrix& kept = result[i];
    kept.cols = all.cols;
    for (std::size_t row = 0; row < all.rows; ++row) {
      if (read.is_kept[row] == 0) continue;
      ++kept.rows;
      kept.values.insert(kept.values.end(), all.row(row).begin(), all.row(row).end());
    }
  });
  return result;
}

LateTextEncoder::Tokens LateTextEncoder::tokens(const std::string& text,
                                                models::TextRole role) const {
  std::vector<std::int64_t> ids;
  for (const tokenizer::Token& token : tokenizer_->encode(text, true)) {
    check_token(token.id, facts_.vocab_size, spec_.tokenizer_path);
    ids.push_back(token.id);
  }
  if (ids.size() < 2) {
    throw Error(
        ErrorCode::model,
        format("{}: the tokenizer must put two special tokens around texts", spec_.tokenizer_path));
  }
  return role == models::TextRole::query ? query_tokens(std::move(ids))
                                         : passage_tokens(std::move(ids));
}

// Fills a short query with mask tokens, whose vectors act as further query terms.
LateTextEncoder::Tokens LateTextEncoder::query_tokens(std::vector<std::int64_t> ids) const {
  const auto limit = static_cast<std::size_t>(spec_.prompt.query_tokens);
  mark(query_marker_, limit, &ids);
  Tokens result;
  // ColBERT computes states for its fill but lets no token attend to it; some models do both.
  result.attended = static_cast<std::int64_t>(spec_.prompt.attend_to_fill ? limit : ids.size());
  if (spec_.prompt.fill_queries) ids.resize(limit, fill_);
  result.is_kept.assign(ids.size(), 1);
  result.ids = std::move(ids);
  return result;
}

LateTextEncoder::Tokens LateTextEncoder::passage_tokens(std::vector<std::int64_t> ids) const {
  mark(passage_marker_, static_cast<std::size_t>(spec_.prompt.passage_tokens), &ids);
  Tokens result;
  for (const std::int64_t id : ids) {
    result.is_kept.push_back(std::binary_search(skipped_.begin(), skipped_.end(), id) ? 0 : 1);
  }
  result.attended = static_cast<std::int64_t>(ids.size());
  result.ids = std::move(ids);
  return result;
}

Matrix LateTextEncoder::vectors(const Tokens& tokens) const {
  const Running running({device_.device, device_.dtype, 1});
  const PackedTokens packed{
      tokens.ids, {0, static_cast<std::int64_t>(tokens.ids.size())}, {tokens.attended}};
  const at::Tensor hidden = trunk_->forward(packed);  // [T, hidden]
  return to_matrix(unit_rows(spec_.head.projection > 0 ? apply(projection_, hidden)
                                                       : dense_.apply_to(hidden)));  // [T, dim]
}

}  // namespace fineprint::nets
