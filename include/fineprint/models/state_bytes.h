// Computes the size of the attention state of a decoder.
#pragma once

#include <cstdint>

#include "fineprint/models/model_spec.h"

namespace fineprint::models {

// Returns the bytes of the state of one sequence of `tokens` tokens, with `number_bytes` for each
// number. Layers of full attention keep keys and values of all tokens, windowed layers those of
// tokens that can still be seen. Delta-rule layers keep the last inputs of the convolution and
// their matrices, which are always in float32.
std::int64_t state_bytes(const Decoder& decoder, std::int64_t tokens, int number_bytes);

}  // namespace fineprint::models
