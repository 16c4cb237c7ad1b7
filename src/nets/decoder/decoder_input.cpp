// Builds the input of a decoder from token embeddings and image features.
#include "nets/decoder/decoder_input.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

ImageFeatures join(std::span<const ImageFeatures> images) {
  if (images.size() == 1) return images[0];
  std::vector<at::Tensor> all;
  for (const ImageFeatures& image : images) all.push_back(image.depths);
  return {at::cat(all, 1)};
}

DecoderInput DecoderInput::narrow(std::int64_t first, std::int64_t count) const {
  DecoderInput part{embeddings.narrow(0, first, count), {}, {}};
  // Most steps of a long prompt hold no slot of an image; then nothing is added.
  if (!added.defined()) return part;
  const at::Tensor within = ((slots >= first) & (slots < first + count)).nonzero().flatten();
  if (within.numel() == 0) return part;
  part.slots = slots.index_select(0, within) - first;
  part.added = added.index_select(1, within);
  return part;
}

DecoderInput with_images(const at::Tensor& embeddings, const std::vector<std::int64_t>& slots,
                         std::span<const ImageFeatures> images) {
  std::int64_t tokens = 0;
  for (const ImageFeatures& image : images) tokens += image.tokens();
  if (tokens != std::ssize(slots)) {
    throw Error(ErrorCode::internal,
                format("{} image features for {} slots", tokens, slots.size()));
  }
  if (slots.empty()) return {embeddings, {}, {}};
  // index_copy and not index_put: slots are unique, and the result is the same on every run.
  const at::Tensor index = at::tensor(slots, at::kLong).to(embeddings.device());
  const at::Tensor depths = join(images).depths.to(embeddings.scalar_type());
  DecoderInput input{embeddings.index_copy(0, index, depths[0]), {}, {}};
  if (depths.size(0) > 1) {
    input.added = depths.narrow(0, 1, depths.size(0) - 1);
    input.slots = index;
  }
  return input;
}

DecoderInput join(std::span<const DecoderInput> inputs) {
  if (inputs.size() == 1) return inputs[0];
  std::vector<at::Tensor> embeddings, added, slots;
  // Slots count tokens from the begin of their own input; in the joined one they are shifted.
  std::int64_t begin = 0;
  for (const DecoderInput& input : inputs) {
    embeddings.push_back(input.embeddings);
    if (input.added.defined()) {
      added.push_back(input.added);
      slots.push_back(input.slots + begin);
    }
    begin += input.embeddings.size(0);
  }
  if (added.empty()) return {at::cat(embeddings), {}, {}};
  return {at::cat(embeddings), at::cat(added, 1), at::cat(slots)};
}

}  // namespace fineprint::nets
