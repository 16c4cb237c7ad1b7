// Prompts that are read whole, several at a time and none seeing another, for what stands at their
// ends.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "nets/multimodal.h"

namespace fineprint::nets {

// A prompt, with its images' features, on its way through the trunk.
struct ReadyPrompt {
  models::TokenSequence tokens;
  std::vector<ImageFeatures> features;
  std::int64_t summed_up = 0;  // of DecoderPart
};

// A tokenised text with its images' features.
ReadyPrompt ready_prompt(const Multimodal& model, models::TokenSequence tokens,
                         std::span<const preprocess::PixelInput> images);

// Prompts that `make` prepares one by one, as many at a time as 4096 tokens hold (one at least);
// `use` gets the last hidden states [T, hidden] of each, in order.
void read_prompts(const Multimodal& model, std::size_t count,
                  const std::function<ReadyPrompt(std::size_t)>& make,
                  const std::function<void(const at::Tensor&)>& use);

}  // namespace fineprint::nets
