// The input of a decoder: token embeddings and image features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// The features of one image, or of several images one after the other. The first depth replaces the
// embeddings of the image's slots. Each further depth is added to the slots' hidden states after a
// layer of the decoder; for example, the second depth after the first layer.
// Source: Meng et al., "DeepStack" (2024), section 3.1.
struct ImageFeatures {
  at::Tensor depths;  // [depths, tokens, hidden], or undefined

  bool defined() const { return depths.defined(); }
  std::int64_t tokens() const { return depths.size(1); }
  // Returns the features of `count` tokens from `first` on, at all depths.
  ImageFeatures narrow(std::int64_t first, std::int64_t count) const {
    return {depths.narrow(1, first, count)};
  }
};

// Returns the features of all `images`, one image after the other.
ImageFeatures join(std::span<const ImageFeatures> images);

// The input of T tokens, of one sequence or of several, one sequence after the other.
struct DecoderInput {
  at::Tensor embeddings;  // [T, hidden]
  // The features that are added after the first layers [layers, slots, hidden], and the tokens that
  // they are added to [slots], ascending. Both are undefined if nothing is added.
  at::Tensor added, slots;

  std::int64_t layers_added_to() const { return added.defined() ? added.size(0) : 0; }
  // Returns the input of `count` tokens from `first` on.
  DecoderInput narrow(std::int64_t first, std::int64_t count) const;
};

// Returns the input with image features in their slots (indices below T, ascending). Throws
// Error(internal) if the number of features differs from the number of slots.
DecoderInput with_images(const at::Tensor& embeddings, const std::vector<std::int64_t>& slots,
                         std::span<const ImageFeatures> images);

// Returns the input of all sequences, one after the other.
DecoderInput join(std::span<const DecoderInput> inputs);

}  // namespace fineprint::nets
