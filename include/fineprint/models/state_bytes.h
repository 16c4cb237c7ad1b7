// What a decoder remembers of the tokens that it has read, in bytes.
#pragma once

#include <cstdint>

#include "fineprint/models/model_spec.h"

namespace fineprint::models {

// Of a sequence of `tokens`, with `number_bytes` for each number: keys and values of all tokens in
// layers of full attention, of those that can still be seen in windowed ones; the last inputs of a
// delta rule's convolution, and its matrices, which are always in float32.
std::int64_t state_bytes(const Decoder& decoder, std::int64_t tokens, int number_bytes);

}  // namespace fineprint::models
