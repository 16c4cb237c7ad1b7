// Computes attention over one sequence.
#include "nets/layers/attention.h"

#include <map>
#include <optional>

#include <ATen/SDPBackend.h>
#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/_scaled_dot_product_flash_attention.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>

#include "fineprint/simd/instruction_set.h"

#include "nets/layers/parallel.h"
#include "nets/packed/attention.h"
#include "nets/weights/share_out.h"

namespace fineprint::nets {
namespace {

// Attends with one query for each head. It takes two batched products over the keys where they are,
// so no key is repeated for the heads of its group.
at::Tensor attend_one(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) {
  const std::int64_t kv_heads = key.size(0), d = query.size(2);
  const at::Tensor grouped = query.reshape({kv_heads, query.size(0) / kv_heads, d});
  const at::Tensor scores =
      at::matmul(grouped, key.transpose(1, 2)).mul_(1 / std::sqrt(static_cast<double>(d)));
  const at::Tensor weights = at::softmax(scores, -1, at::kFloat).to(value.scalar_type());
  return at::matmul(weights, value).reshape({1, query.size(0) * d});  // [kv, group, d] -> [1, H*d]
}

// Attends without a mask, in float32 on a CPU with AVX-512, head by head on LibTorch's threads,
// with rows where they are. LibTorch's own products leave AVX-512 idle on some machines. Returns
// nothing if LibTorch should compute instead: with AVX2, because its rounding is that of the
// references, and if gradients are wanted.
std::optional<at::Tensor> attend_on_cpu(const at::Tensor& query, const at::Tensor& key,
                                        const at::Tensor& value) {
  const auto fits = [](const at::Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.stride(2) == 1 && !x.requires_grad();
  };
  if (!simd::may_use(simd::InstructionSet::avx512) || !fits(query) || !fits(key) || !fits(value)) {
    return std::nullopt;
  }
  const std::int64_t heads = query.size(0), queries = query.size(1), d = query.size(2);
  const std::int64_t group = heads / key.size(0);
  at::Tensor result = at::empty({queries, heads * d}, query.options());
  auto* to = result.mutable_data_ptr<float>();
  const auto rows_of = [](const at::Tensor& x, std::int64_t head) {
    return ConstRows(x.const_data_ptr<float>() + head * x.stride(0), x.size(1), x.stride(1));
  };
  const std::int64_t work = 2 * queries * key.size(1) * d;
  parallel_loop(0, heads, grain(work, 1), [&](std::int64_t begin, std::int64_t end) {
    PackedAttention attention;
    for (std::int64_t head = begin; head < end; ++head) {
      const std::int64_t shared = head / group;
      attention.attend({rows_of(query, head), rows_of(key, shared), rows_of(value, shared), d},
                       {to + head * d, queries, heads * d});
    }
  });
  return result;
}

// Attends by flash attention if LibTorch has it for these tensors (a GPU, half precision, heads
// that are not too wide). Its causal mask is aligned to the last key and its keys need no
// repeating, so neither a mask nor repeated keys take memory. scaled_dot_product_attention would
// refuse fewer queries than keys, so the function below it is called directly.
std::optional<at::Tensor> attend_flash(const at::Tensor& query, const at::Tensor& key,
                                       const at::Tensor& value, bool causal) {
  const at::Tensor q = query.unsqueeze(0), k = key.unsqueeze(0), v = value.unsqueeze(0);
  if (!query.is_cuda() || query.size(2) % 8 != 0 ||
      at::_fused_sdp_choice(q, k, v, {}, 0.0, false, {}, /*enable_gqa=*/true) !=
          static_cast<std::int64_t>(at::SDPBackend::flash_attention)) {
    return std::nullopt;
  }
  return std::get<0>(at::_scaled_dot_product_flash_attention(q, k, v, 0.0, causal));
}

// Returns 0 where a query may look and -inf elsewhere. The queries are the last T of S positions.
at::Tensor causal_bias(std::int64_t queries, std::int64_t keys, std::int64_t window,
                       std::span<const TokenSpan> both_ways, const at::TensorOptions& options) {
  const at::Tensor shut =
      at::full({queries, keys}, -std::numeric_limits<double>::infinity(), options);
  const std::int64_t first_key = keys - queries;  // of the first query
  at::Tensor bias = shut.triu(first_key + 1);     // [T, S]
  if (window > 0) bias.add_(shut.tril(first_key - window));
  for (const TokenSpan& span : both_ways) {
    const std::int64_t length = span.end - span.begin;
    bias.narrow(0, span.begin, length).narrow(1, first_key + span.begin, length).tril_();
  }
  return bias;
}

}  // namespace

at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  Mask mask, std::int64_t window, std::span<const TokenSpan> both_ways) {
  const std::int64_t heads = query.size(0), queries = query.size(1), keys = key.size(1);
  const std::int64_t kv_heads = key.size(0), group = heads / kv_heads, d = query.size(2);
  const bool causal = mask == Mask::causal && queries > 1;
  const bool windowed = window > 0 && window < keys;
  // A single query sees only its window, so older keys are cut off and no mask is needed.
  if (windowed && queries == 1) {
    return attend(query, key.narrow(1, keys - window, window),
                  value.narrow(1, keys - window, window), mask);
  }
  if (!windowed && both_ways.empty()) {
    if (const auto attended = attend_flash(query, key, value, causal)) {  // [1, heads, T, d]
      return attended->squeeze(0).transpose(0, 1).reshape({queries, heads * d});
    }
  }
  if (queries == 1) return attend_one(query, key, value);
  if (!causal && both_ways.empty()) {
    if (const auto attended = attend_on_cpu(query, key, value)) return *attended;
  }
  const auto shared = [&](const at::Tensor& x) {  // [kv, S, d] -> [1, heads, S, d]
    return x.unsqueeze(1).expand({kv_heads, group, keys, d}).reshape({1, heads, keys, d});
  };
  // LibTorch stores no mask if it is the causal one, and skips half of the products. It requires as
  // many queries as keys; padding a few missing queries in front is cheaper than a stored mask.
  const bool plain = causal && !windowed && both_ways.empty();
  const std::int64_t missing = plain && keys - queries < queries ? keys - queries : 0;
  const bool aligned = plain && queries + missing == keys;
  std::optional<at::Tensor> bias;
  if (causal && !aligned) {
    bias = causal_bias(queries, keys, windowed ? window : 0, both_ways, query.options());
  }
  const at::Tensor padded = missing > 0 ? at::constant_pad_nd(query, {0, 0, missing, 0}) : query;
  const at::Tensor attended =
      at::scaled_dot_product_attention(padded.unsqueeze(0), shared(key), shared(value), bias, 0.0,
                                       aligned);  // [1, heads, missing + T, d]
  return attended.squeeze(0)
      .narrow(1, missing, queries)
      .transpose(0, 1)
      .reshape({queries, heads * d});  // [T, heads * d]
}

at::Tensor attend_capped(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         double cap, std::int64_t window) {
  const std::int64_t queries = query.size(1), keys = key.size(1), d = query.size(2);
  const std::int64_t kv_heads = key.size(0), group = query.size(0) / kv_heads;
  const bool windowed = window > 0 && window < keys;
  if (windowed && queries == 1) {
    return attend_capped(query, key.narrow(1, keys - window, window),
                         value.narrow(1, keys - window, window), cap);
  }
  at::Tensor bias;
  if (queries > 1) bias = causal_bias(queries, keys, windowed ? window : 0, {}, query.options());
  std::vector<at::Tensor> attended;
  // One head of keys after the other, because all scores of a long prompt together would take much
  // memory.
  for (std::int64_t head = 0; head < kv_heads; ++head) {
    const at::Tensor of_group = query.narrow(0, head * group, group);  // [group, T, d]
    at::Tensor scores = at::matmul(of_group, key[head].t());           // [group, T, S]
    scores.mul_(1 / std::sqrt(static_cast<double>(d))).div_(cap).tanh_().mul_(cap);
    if (bias.defined()) scores.add_(bias);
    const at::Tensor weights = at::softmax(scores, -1, at::kFloat).to(value.scalar_type());
    attended.push_back(at::matmul(weights, value[head]));  // [group, T, d]
  }
  return at::cat(attended).transpose(0, 1).reshape({queries, query.size(0) * d});
}

at::Tensor attend_segments(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const std::vector<std::int64_t>& offsets) {
  if (offsets.size() == 2) return attend(query, key, value, Mask::none);
  // Segments of one length form one batch; images have few different window sizes.
  std::map<std::int64_t, std::vector<std::int64_t>> starts_by_length;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    starts_by_length[offsets[s + 1] - offsets[s]].push_back(offsets[s]);
  }
  const std::int64_t heads = query.size(0), total = query.size(1), d = query.size(2);
  at::Tensor result = at::empty({total, heads, d}, query.options());
  for (const auto& [length, starts] : starts_by_length) {
    std::vector<std::int64_t> rows;
    for (const std::int64_t start : starts) {
      for (std::int64_t i = 0; i < length; ++i) rows.push_back(start + i);
    }
    const at::Tensor index = at::tensor(rows, at::kLong).to(query.device());  // [n * L]
    const auto batch = static_cast<std::int64_t>(starts.size());
    const auto gathered = [&](const at::Tensor& x) {  // [heads, T, d] -> [n, heads, L, d]
      return x.index_select(1, index).view({heads, batch, length, d}).transpose(0, 1);
    };
    const at::Tensor attended =
        at::scaled_dot_product_attention(gathered(query), gathered(key), gathered(value));
    result.index_copy_(0, index, attended.transpose(1, 2).reshape({batch * length, heads, d}));
  }
  return result.view({total, heads * d});
}

}  // namespace fineprint::nets
