// What a decoder reads: embeddings of tokens, and what is made of images.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Of one image, or of several one behind the other. The first depth takes the place of the slots'
// embeddings; each further one is added to the slots' hidden states behind a layer of the decoder,
// the second one behind the first layer.
// Source: Meng et al., "DeepStack" (2024), section 3.1.
struct ImageFeatures {
  at::Tensor depths;  // [depths, tokens, hidden], or undefined

  bool defined() const { return depths.defined(); }
  std::int64_t tokens() const { return depths.size(1); }
  ImageFeatures narrow(std::int64_t first, std::int64_t count) const {
    return {depths.narrow(1, first, count)};
  }
};

ImageFeatures join(std::span<const ImageFeatures> images);

// T tokens, of one sequence or of several one behind the other.
struct DecoderInput {
  at::Tensor embeddings;  // [T, hidden]
  // What is added behind the first layers [layers, slots, hidden], and to which tokens [slots],
  // ascending; both undefined when nothing is.
  at::Tensor added, slots;

  std::int64_t layers_added_to() const { return added.defined() ? added.size(0) : 0; }
  DecoderInput narrow(std::int64_t first, std::int64_t count) const;
};

// Features laid into their slots (indices below T, ascending). Throws Error(internal) when there
// are not as many of the one as of the other.
DecoderInput with_images(const at::Tensor& embeddings, const std::vector<std::int64_t>& slots,
                         std::span<const ImageFeatures> images);

DecoderInput join(std::span<const DecoderInput> inputs);

}  // namespace fineprint::nets
