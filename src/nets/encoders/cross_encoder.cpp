// Runs cross-encoders: question and passage are read together and give one score.
#include "nets/encoders/cross_encoder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/encoders/batches.h"
#include "nets/encoders/pooling.h"
#include "nets/generation/vocabulary.h"

namespace fineprint::nets {
namespace {

// As for sentences: products near the core's peak, activations in its cache.
constexpr std::size_t kPairTokens = 256;
constexpr std::size_t kPairTokensOnGpu = 4096;

void append_ids(const std::vector<std::int64_t>& from, std::vector<std::int64_t>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

// Returns how many tokens of each text to keep if both together may have `room`. The longer text is
// cut first, as "longest first" of the reference library does.
std::pair<std::size_t, std::size_t> lengths_within(std::size_t room, std::size_t first,
                                                   std::size_t second) {
  if (first + second <= room) return {first, second};
  const bool swapped = first > second;
  std::size_t shorter = swapped ? second : first;
  std::size_t longer = shorter > room ? shorter : std::max(shorter, room - shorter);
  if (shorter + longer > room) {
    shorter = room / 2;
    longer = shorter + room % 2;
  }
  return swapped ? std::pair(longer, shorter) : std::pair(shorter, longer);
}

}  // namespace

CrossEncoder::CrossEncoder(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      facts_(text_trunk_facts(spec)),
      device_(device),
      tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)),
      frame_(find_frame()) {
  if (!spec.head.pair) {
    throw Error(ErrorCode::model,
                format("{}: {} models are not cross-encoders", spec.dir, spec.family));
  }
  const Running running(device);
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  trunk_ = make_text_trunk(spec, weights);
  const WeightScope head(weights, "head");
  dense_ = take_linear(head, "dense");
  last_ = take_linear(head, "last");
  const models::PairScore& pair = *spec.head.pair;
  if (pair.norm) norm_ = take_norm(head, "norm", models::NormKind::layer, pair.norm_eps);
}

// Encodes a pair of one-letter texts and finds their tokens in it, because this works for every way
// in which a tokenizer's file may define the frame.
CrossEncoder::Frame CrossEncoder::find_frame() const {
  const std::vector<tokenizer::Token> all = tokenizer_->encode_pair("a", "b");
  const Ids first = ids_of("a"), second = ids_of("b");
  Ids ids;
  for (const tokenizer::Token& token : all) ids.push_back(token.id);
  const auto at = std::search(ids.begin(), ids.end(), first.begin(), first.end());
  const auto after_first = at == ids.end() ? at : at + static_cast<std::ptrdiff_t>(first.size());
  const auto other = std::search(after_first, ids.end(), second.begin(), second.end());
  if (at == ids.end() || other == ids.end() || first.empty() || second.empty()) {
    throw Error(ErrorCode::model,
                format("{}: the tokenizer does not encode pairs of texts, which a cross-encoder "
                       "needs",
                       spec_.tokenizer_path));
  }
  for (const tokenizer::Token& token : all) {
    if (facts_.type_vocab_size == 0 || token.type < facts_.type_vocab_size) continue;
    throw Error(ErrorCode::model,
                format("{}: the tokenizer gives a token of a pair the type {}, but "
                       "config.json's type_vocab_size is {}",
                       spec_.tokenizer_path, token.type, facts_.type_vocab_size));
  }
  const auto part = [&](auto from, auto to) {
    Pair tokens;
    for (auto i = from; i != to; ++i) {
      check_token(*i, facts_.vocab_size, spec_.tokenizer_path);
      tokens.ids.push_back(*i);
      tokens.types.push_back(all[static_cast<std::size_t>(i - ids.begin())].type);
    }
    return tokens;
  };
  const auto type_at = [&](auto place) {
    return std::int64_t{all[static_cast<std::size_t>(place - ids.begin())].type};
  };
  return {part(ids.begin(), at), part(after_first, other),
          part(other + static_cast<std::ptrdiff_t>(second.size()), ids.end()), type_at(at),
          type_at(other)};
}

// Without special tokens: the frame adds them.
CrossEncoder::Ids CrossEncoder::ids_of(const std::string& text) const {
  Ids ids;
  for (const tokenizer::Token& token : tokenizer_->encode(text, false)) {
    check_token(token.id, facts_.vocab_size, spec_.tokenizer_path);
    ids.push_back(token.id);
  }
  return ids;
}

CrossEncoder::Pair CrossEncoder::pair(const std::string& question,
                                      const std::string& passage) const {
  return framed(ids_of(question), ids_of(passage));
}

// Builds the pair from the parts of the frame, so that a question is tokenised once for all
// passages.
CrossEncoder::Pair CrossEncoder::framed(Ids question, Ids passage) const {
  const std::size_t special =
      frame_.begin.ids.size() + frame_.middle.ids.size() + frame_.end.ids.size();
  const auto limit = static_cast<std::size_t>(spec_.prompt.max_tokens);
  const auto [first, second] =
      lengths_within(limit > special ? limit - special : 0, question.size(), passage.size());
  question.resize(first);
  passage.resize(second);
  Pair all = frame_.begin;
  append_ids(question, &all.ids);
  all.types.resize(all.ids.size(), frame_.first_type);
  append_ids(frame_.middle.ids, &all.ids);
  append_ids(frame_.middle.types, &all.types);
  append_ids(passage, &all.ids);
  all.types.resize(all.ids.size(), frame_.second_type);
  append_ids(frame_.end.ids, &all.ids);
  append_ids(frame_.end.types, &all.types);
  return all;
}

// The head is BERT's pooler and classifier, or the one of ModernBERT, which has a norm.
at::Tensor CrossEncoder::read_logits(const at::Tensor& hidden, const PackedTokens& tokens) const {
  const models::PairScore& pair = *spec_.head.pair;
  at::Tensor x = apply(dense_, pool_sequences(spec_.head.pooling, hidden, tokens));
  x = activate(pair.activation, std::move(x));
  if (pair.norm) x = apply(norm_, x);
  return apply(last_, x).to(at::kFloat);  // [S, 1]
}

// On a GPU one batch at a time fills the device; on the CPU batches run in parallel.
std::vector<double> CrossEncoder::logits(std::span<const Pair> pairs) const {
  std::vector<std::size_t> lengths;
  for (const Pair& pair : pairs) lengths.push_back(pair.ids.size());
  const bool on_cpu = device_.device.is_cpu();
  const int side_by_side = on_cpu ? device_.threads : 1;
  const auto batches = make_batches(lengths, on_cpu ? kPairTokens : kPairTokensOnGpu, side_by_side);
  std::vector<double> result(pairs.size());
  parallel_for(batches.size(), side_by_side, [&](std::size_t b) {
    // One thread for each batch: the parallelism is over batches.
    const Running running({device_.device, device_.dtype, 1});
    PackedTokens packed;
    for (const std::size_t i : batches[b]) {
      append_ids(pairs[i].ids, &packed.ids);
      append_ids(pairs[i].types, &packed.types);
      packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
    }
    const at::Tensor rows = read_logits(trunk_->forward(packed), packed).cpu().contiguous();
    const float* row = rows.const_data_ptr<float>();
    for (std::size_t n = 0; n < batches[b].size(); ++n) result[batches[b][n]] = double{row[n]};
  });
  return result;
}

std::vector<double> CrossEncoder::score(const std::string& question,
                                        std::span<const std::string> passages) const {
  return with_all_errors(name(), [&] {
    const Ids asked = ids_of(question);
    std::vector<Pair> pairs(passages.size());
    // Tokenising a few texts takes less time than starting threads.
    parallel_for(passages.size(), passages.size() < 8 ? 1 : device_.threads,
                 [&](std::size_t i) { pairs[i] = framed(asked, ids_of(passages[i])); });
    std::vector<double> scores = logits(pairs);
    for (double& score : scores) score = 1 / (1 + std::exp(-score));
    return scores;
  });
}

void CrossEncoder::trace(const Pair& pair, const TextTrunk::Tap& tap) const {
  const Running running(device_);
  PackedTokens packed;
  packed.ids = pair.ids;
  packed.types = pair.types;
  packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
  trunk_->forward(packed, tap);
}

}  // namespace fineprint::nets
