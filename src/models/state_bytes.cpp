// Computes the size of the attention state of a decoder.
#include "fineprint/models/state_bytes.h"

#include <algorithm>

namespace fineprint::models {
namespace {

std::int64_t layer_bytes(const Decoder& decoder, LayerKind kind, std::int64_t tokens,
                         int number_bytes) {
  if (kind == LayerKind::delta_rule) {
    const DeltaRule& rule = decoder.delta;
    const std::int64_t keys = std::int64_t{rule.key_heads} * rule.key_dim;
    const std::int64_t values = std::int64_t{rule.value_heads} * rule.value_dim;
    // The matrices are always float32, because they are sums over all tokens so far.
    return values * rule.key_dim * std::int64_t{sizeof(float)} +
           (2 * keys + values) * (rule.kernel - 1) * number_bytes;
  }
  if (kind == LayerKind::short_convolution) {
    return std::int64_t{decoder.hidden} * (decoder.convolution.kernel - 1) * number_bytes;
  }
  const bool windowed = kind == LayerKind::windowed_attention;
  // The newest token is not part of what a window keeps for the next one.
  const std::int64_t seen = windowed ? std::min<std::int64_t>(tokens, decoder.window - 1) : tokens;
  return 2 * seen * decoder.kv_heads * decoder.head_dim * number_bytes;
}

}  // namespace

std::int64_t state_bytes(const Decoder& decoder, std::int64_t tokens, int number_bytes) {
  std::int64_t sum = 0;
  for (int i = 0; i < decoder.layers; ++i) {
    sum += layer_bytes(decoder, decoder.kind(i), tokens, number_bytes);
  }
  return sum;
}

}  // namespace fineprint::models
