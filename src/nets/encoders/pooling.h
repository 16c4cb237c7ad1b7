// Makes one vector of the states of each sequence.
#pragma once

#include <ATen/core/Tensor.h>

#include "nets/encoders/text_trunk.h"

namespace fineprint::nets {

// Returns [S, hidden] for states [T, hidden]: the mean of a sequence's states, its first or its
// last one.
// Source: Reimers and Gurevych, "Sentence-BERT" (2019), section 3.
at::Tensor pool_sequences(models::Pooling pooling, const at::Tensor& hidden,
                          const PackedTokens& tokens);

}  // namespace fineprint::nets
