// One vector of each sequence's states.
#pragma once

#include <ATen/core/Tensor.h>

#include "nets/encoders/text_trunk.h"

namespace fineprint::nets {

// [S, hidden] of states [T, hidden]: the mean of a sequence's, its first, or its last.
// Source: Reimers and Gurevych, "Sentence-BERT" (2019), section 3.
at::Tensor pool_sequences(models::Pooling pooling, const at::Tensor& hidden,
                          const PackedTokens& tokens);

}  // namespace fineprint::nets
