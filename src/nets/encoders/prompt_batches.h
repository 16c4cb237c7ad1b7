// Reads full prompts in batches, for the states at their ends; no prompt sees another.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "nets/multimodal.h"

namespace fineprint::nets {

// A tokenised prompt with the features of its images.
struct ReadyPrompt {
  models::TokenSequence tokens;
  std::vector<ImageFeatures> features;
  std::int64_t summed_up = 0;  // see DecoderPart
};

// Returns a tokenised text with the features of its images.
ReadyPrompt ready_prompt(const Multimodal& model, models::TokenSequence tokens,
                         std::span<const preprocess::PixelInput> images);

// Reads `count` prompts that `make` prepares one by one. Batches hold up to 4096 tokens, or one
// longer prompt. Calls `use` with the last hidden states [T, hidden] of each prompt, in order.
void read_prompts(const Multimodal& model, std::size_t count,
                  const std::function<ReadyPrompt(std::size_t)>& make,
                  const std::function<void(const at::Tensor&)>& use);

}  // namespace fineprint::nets
