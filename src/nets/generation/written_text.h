// Trains a model to write given texts: appends them to a prompt and computes their loss.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "nets/multimodal.h"

namespace fineprint::nets {

// Appends the tokens of a text to a prompt. Throws Error(input) if they exceed the model's
// positions.
void append_text(const Multimodal& model, const std::vector<std::int64_t>& ids,
                 models::TokenSequence* tokens);

// Returns the mean over `ids` of -log p(token | all earlier tokens). `hidden` [T, hidden] holds the
// states of a prompt that ends with `ids`.
at::Tensor surprise_of(const Multimodal& model, const at::Tensor& hidden,
                       const std::vector<std::int64_t>& ids);

}  // namespace fineprint::nets
