// Attention of each token to all tokens before it, with grouped keys and values.
#include "nets/decoder/full_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/ops/cat.h>

#include "fineprint/serving/prompt_lookup.h"

#include "nets/decoder/decoder_norm.h"
#include "nets/decoder/key_values.h"
#include "nets/layers/attention.h"
#include "nets/layers/window_attention.h"

namespace fineprint::nets {
namespace {

// The first `prompt` tokens see each other in both directions; later ones see only earlier tokens.
at::Tensor attend_both_ways(std::int64_t prompt, const at::Tensor& query, const at::Tensor& key,
                            const at::Tensor& value) {
  const std::int64_t tokens = query.size(1);
  if (prompt >= tokens) return attend(query, key, value, Mask::none);
  const auto of_prompt = [&](const at::Tensor& x) { return x.narrow(1, 0, prompt); };
  return at::cat(
      {attend(of_prompt(query), of_prompt(key), of_prompt(value), Mask::none),
       attend(query.narrow(1, prompt, tokens - prompt), key, value, Mask::causal)});  // [T, h * d]
}

}  // namespace

FullAttention::FullAttention(const models::Decoder& spec, StatePlace place, Kind kind,
                             const WeightScope& weights)
    : heads_(spec.heads),
      kv_heads_(spec.kv_heads),
      head_dim_(spec.head_dim),
      fused_(spec.fused),
      prompt_bidirectional_(spec.prompt_bidirectional),
      output_gate_(spec.output_gate),
      place_(place),
      window_(kind.window),
      rotates_(kind.rotates),
      cap_(spec.attention_cap),
      output_(take_linear(weights, "o_proj")) {
  if (fused_) {
    query_key_value_ = take_linear(weights, "qkv_proj");
  } else {
    query_ = take_linear(weights, "q_proj");
    key_ = take_linear(weights, "k_proj");
    value_ = take_linear(weights, "v_proj");
  }
  // attend() divides by sqrt(head_dim); a model with another scale is corrected through its
  // queries.
  if (spec.attention_scale > 0) {
    query_scale_ = spec.attention_scale * std::sqrt(static_cast<double>(spec.head_dim));
  }
  if (spec.qk_norm) {
    query_norm_ = take_decoder_norm(spec, weights, "q_norm");
    key_norm_ = take_decoder_norm(spec, weights, "k_norm");
  }
}

// Projects x and splits it into heads. Three layouts exist: fused, with an output gate, and
// separate.
FullAttention::Heads FullAttention::heads_of(const at::Tensor& x) const {
  const std::int64_t tokens = x.size(0);
  if (fused_) {
    const at::Tensor all = apply(query_key_value_, x).view({tokens, -1, head_dim_});
    const auto heads = [&](std::int64_t first, std::int64_t count) {
      return all.narrow(1, first, count).transpose(0, 1);
    };
    return {heads(0, heads_), heads(heads_, kv_heads_), heads(heads_ + kv_heads_, kv_heads_)};
  }
  const auto by_head = [&](const at::Tensor& rows, std::int64_t heads) {
    return rows.view({tokens, heads, head_dim_}).transpose(0, 1);  // [heads, T, d]
  };
  if (output_gate_) {
    // Each head's rows are the query and then its gate, so they are cut per head.
    const at::Tensor both = apply(query_, x).view({tokens, heads_, 2 * head_dim_});
    return {both.narrow(2, 0, head_dim_).transpose(0, 1), by_head(apply(key_, x), kv_heads_),
            by_head(apply(value_, x), kv_heads_),
            both.narrow(2, head_dim_, head_dim_).reshape({tokens, -1})};
  }
  return {by_head(apply(query_, x), heads_), by_head(apply(key_, x), kv_heads_),
          by_head(apply(value_, x), kv_heads_)};
}

at::Tensor FullAttention::mix(const at::Tensor& x, const Rotations& rotations,
                              std::span<const DecoderPart> parts) const {
  const Rotation& rotation = window_ > 0 ? rotations.windowed : rotations.full;
  Heads all = heads_of(x);
  // Norms come before the rotation, as in Qwen3 and Gemma 3.
  if (query_norm_) all.query = apply(*query_norm_, all.query);
  if (key_norm_) all.key = apply(*key_norm_, all.key);
  if (query_scale_ != 1) all.query = all.query * query_scale_;
  if (rotates_) {
    all.query = rotate(all.query, rotation);
    all.key = rotate(all.key, rotation);
  }
  if (rotations.query_factors.defined()) all.query = all.query * rotations.query_factors;
  std::vector<at::Tensor> attended;
  std::int64_t begin = 0;
  for (const DecoderPart& part : parts) {
    const auto slice_of_part = [&](const at::Tensor& heads) {
      return heads.narrow(1, begin, part.tokens());
    };
    attended.push_back(attend_part(
        part, {slice_of_part(all.query), slice_of_part(all.key), slice_of_part(all.value)}));
    begin += part.tokens();
  }
  at::Tensor together = parts.size() == 1 ? attended[0] : at::cat(attended);
  if (output_gate_) together = together * all.gate.sigmoid();
  return apply(output_, together);
}

at::Tensor FullAttention::attend_causal(const Heads& heads,
                                        std::span<const TokenSpan> both_ways) const {
  if (cap_ > 0) return attend_capped(heads.query, heads.key, heads.value, cap_, window_);
  return attend(heads.query, heads.key, heads.value, Mask::causal, window_, both_ways);
}

// Attends for one sequence. With a state, new keys and values are stored before attending.
at::Tensor FullAttention::attend_part(const DecoderPart& part, const Heads& heads) const {
  const at::Tensor &query = heads.query, &key = heads.key, &value = heads.value;
  const bool first = part.state == nullptr || part.state->length() == 0;
  if (part.summed_up > 0) return attend_summed_up(part, heads);
  if (part.state == nullptr) {
    if (!prompt_bidirectional_) return attend_causal(heads, part.images);
    // Such layers are only in encoders, where every token belongs to the prompt.
    if (window_ > 0) return attend_window(query, key, value, window_ - 1, part.tokens());
    return attend_both_ways(part.prompt, query, key, value);
  }
  auto& state = static_cast<KeyValues&>(part.state->part(place_.part));
  const std::int64_t length = part.state->length(), end = length + part.tokens();
  state.append(place_.layer, length, key, value);
  if (prompt_bidirectional_ && first) return attend_both_ways(part.prompt, query, key, value);
  // A reply must not depend on how many of its tokens are read together, so each attends alone.
  const bool few = part.tokens() <= serving::kMostProposed + 1 && query.is_cpu();
  if (few && !first && part.images.empty()) {
    std::vector<at::Tensor> rows;
    for (std::int64_t t = 0; t < part.tokens(); ++t) {
      rows.push_back(attend_token(part, query.narrow(1, t, 1), length + t));
    }
    return rows.size() == 1 ? rows[0] : at::cat(rows);
  }
  const KeyValues::View view = state.view(place_.layer, first_seen(length), end);
  return attend_causal({query, view.keys, view.values}, part.images);
}

// Returns the first token that `token` sees.
std::int64_t FullAttention::first_seen(std::int64_t token) const {
  return window_ > 0 ? std::max<std::int64_t>(0, token - window_ + 1) : 0;
}

// Attends with the query of `token`, [heads, 1, head_dim].
at::Tensor FullAttention::attend_token(const DecoderPart& part, const at::Tensor& query,
                                       std::int64_t token) const {
  const auto& state = static_cast<const KeyValues&>(part.state->part(place_.part));
  const std::int64_t from = first_seen(token), to = token + 1;
  // Reading the blocks in place saves gathering keys and values first.
  if (query.scalar_type() == at::kFloat && cap_ == 0) {
    return state.attend(place_.layer, query, from, to);
  }
  const KeyValues::View view = state.view(place_.layer, from, to);
  return attend_causal({query, view.keys, view.values}, {});
}

// Computes it as two sequences; the second begins with the token that sums up the first.
at::Tensor FullAttention::attend_summed_up(const DecoderPart& part, const Heads& heads) const {
  const std::int64_t last = part.summed_up - 1, behind = part.tokens() - part.summed_up;
  const auto first = [&](const at::Tensor& x) { return x.narrow(1, 0, part.summed_up); };
  const auto from_last = [&](const at::Tensor& x) { return x.narrow(1, last, behind + 1); };
  return at::cat(
      {attend_causal({first(heads.query), first(heads.key), first(heads.value)}, part.images),
       attend_causal({heads.query.narrow(1, part.summed_up, behind), from_last(heads.key),
                      from_last(heads.value)},
                     {})});  // [T, h * d]
}

}  // namespace fineprint::nets
