// Makes one vector of the states of each sequence.
#include "nets/encoders/pooling.h"

#include <ATen/ops/empty.h>

namespace fineprint::nets {

at::Tensor pool_sequences(models::Pooling pooling, const at::Tensor& hidden,
                          const PackedTokens& tokens) {
  const auto sequences = static_cast<std::int64_t>(tokens.sequences());
  at::Tensor pooled = at::empty({sequences, hidden.size(1)}, hidden.options());
  for (std::int64_t s = 0; s < sequences; ++s) {
    const std::int64_t begin = tokens.offsets[s], end = tokens.offsets[s + 1];
    if (pooling == models::Pooling::mean) {
      pooled[s] = hidden.narrow(0, begin, end - begin).mean(0);
    } else {
      pooled[s] = hidden[pooling == models::Pooling::last_token ? end - 1 : begin];
    }
  }
  return pooled;
}

}  // namespace fineprint::nets
