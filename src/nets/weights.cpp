// A checkpoint's tensors on the device that a model runs on.
#include "nets/weights.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

at::ScalarType scalar_type(const tensorfile::TensorView& view, const std::string& file) {
  switch (view.dtype) {
    case tensorfile::Dtype::f32:
      return at::kFloat;
    case tensorfile::Dtype::f16:
      return at::kHalf;
    case tensorfile::Dtype::bf16:
      return at::kBFloat16;
    default:
      throw Error(ErrorCode::model,
                  format("{}: tensor {} is of type {}; F32, F16 and BF16 are supported", file,
                         view.name, tensorfile::dtype_name(view.dtype)));
  }
}

// The tensor where it lies in the mapped file.
at::Tensor mapped(const tensorfile::TensorView& view, const std::string& file) {
  // LibTorch has no read-only tensors; nothing writes to a weight.
  auto* data = const_cast<std::uint8_t*>(view.bytes.data());
  return at::from_blob(data, view.shape, at::TensorOptions(scalar_type(view, file)));
}

}  // namespace

Weights::Weights(std::shared_ptr<const models::Checkpoint> checkpoint, const Device& device)
    : checkpoint_(std::move(checkpoint)), device_(device) {}

at::Tensor Weights::take(const std::string& part, const std::string& name) const {
  return load(checkpoint_->at(part, name));
}

at::Tensor Weights::take_if_there(const std::string& part, const std::string& name) const {
  const models::Weight* weight = checkpoint_->find(part, name);
  return weight == nullptr ? at::Tensor() : load(*weight);
}

at::Tensor Weights::load(const models::Weight& weight) const {
  at::Tensor tensor = mapped(*weight.view, weight.file);
  if (!weight.changes.empty()) {
    tensor = tensor.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    for (const models::LowRank& change : weight.changes) {
      const at::Tensor down = mapped(*change.down, weight.file).to(at::kFloat);  // [rank, in]
      const at::Tensor up = mapped(*change.up, weight.file).to(at::kFloat);      // [out, rank]
      tensor.add_(at::matmul(up, down), change.scale);                           // [out, in]
    }
  } else if (device_.device.is_cpu() && tensor.scalar_type() == device_.dtype) {
    return tensor;
  }
  tensor = tensor.to(device_.options());
  checkpoint_->release(weight);
  return tensor;
}

}  // namespace fineprint::nets
