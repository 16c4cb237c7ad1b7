// Texts that a model is to write behind what it has read, and how far each surprises it.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "nets/multimodal.h"

namespace fineprint::nets {

// Lays them behind a prompt. Throws Error(input) where the model has no room for them.
void append_text(const Multimodal& model, const std::vector<std::int64_t>& ids,
                 models::TokenSequence* tokens);

// The mean over the tokens of -log p(token | what is before it); `hidden` [T, hidden] are the
// states of a prompt with `ids` at its end.
at::Tensor surprise_of(const Multimodal& model, const at::Tensor& hidden,
                       const std::vector<std::int64_t>& ids);

}  // namespace fineprint::nets
