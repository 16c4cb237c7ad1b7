// A layer of a short convolution: each token sees the last few before it, channel by channel.
#include "nets/decoder/short_convolution.h"

#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include "nets/decoder/recurrence.h"

namespace fineprint::nets {

ShortConvolution::ShortConvolution(const models::Decoder& spec, StatePlace place,
                                   const WeightScope& weights)
    : place_(place),
      input_(take_linear(weights, "in_proj")),
      output_(take_linear(weights, "out_proj")),
      // A row for each tap, because `convolved_inputs` adds tap by tap.
      kernel_(weights("conv.weight").view({spec.hidden, -1}).t().contiguous()),
      bias_(weights.if_there("conv.bias")) {}

at::Tensor ShortConvolution::mix(const at::Tensor& x, const Rotations& /*rotations*/,
                                 std::span<const DecoderPart> parts) const {
  const std::int64_t width = x.size(1);
  const at::Tensor all = apply(input_, x);  // [T, 3 * hidden]
  const at::Tensor inputs = all.narrow(1, 0, width) * all.narrow(1, 2 * width, width);
  std::vector<at::Tensor> convolved;
  std::int64_t begin = 0;
  for (const DecoderPart& part : parts) {
    convolved.push_back(convolved_inputs(part, inputs.narrow(0, begin, part.tokens())));
    begin += part.tokens();
  }
  const at::Tensor together = parts.size() == 1 ? convolved[0] : at::cat(convolved);
  return apply(output_, together * all.narrow(1, width, width));
}

at::Tensor ShortConvolution::convolved_inputs(const DecoderPart& part,
                                              const at::Tensor& inputs) const {
  const std::int64_t total = part.tokens(), taps = kernel_.size(0), tail = taps - 1;
  Recurrence::Layer before, after;
  if (part.state != nullptr) {
    const auto& state = static_cast<Recurrence&>(part.state->part(place_.part));
    before = state.before(place_.layer);
    after = state.after(place_.layer);
  }
  // The last inputs of earlier tokens, which the convolution needs, and then the part's own.
  const at::Tensor seen = at::cat(
      {before.tail.defined() ? before.tail : at::zeros({tail, inputs.size(1)}, inputs.options()),
       inputs});  // [tail + T, hidden]
  if (after.tail.defined()) after.tail.copy_(seen.narrow(0, total, tail));
  at::Tensor out = seen.narrow(0, 0, total) * kernel_[0];
  for (std::int64_t i = 1; i < taps; ++i) out.addcmul_(seen.narrow(0, i, total), kernel_[i]);
  return bias_.defined() ? out.add_(bias_) : out;
}

}  // namespace fineprint::nets
