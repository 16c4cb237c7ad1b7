// A checkpoint's tensors on the device that a model runs on.
#include "nets/weights.h"

#include <cmath>

#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

namespace fineprint::nets {
namespace {

at::ScalarType type_of_view(const tensorfile::TensorView& view, const std::string& file) {
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

MatrixFormat stored_format(at::ScalarType type) {
  return type == at::kHalf       ? MatrixFormat::float16
         : type == at::kBFloat16 ? MatrixFormat::bfloat16
                                 : MatrixFormat::float32;
}

// The tensor where it lies in the mapped file.
at::Tensor mapped(const tensorfile::TensorView& view, const std::string& file) {
  // LibTorch has no read-only tensors; nothing writes to a weight.
  auto* data = const_cast<std::uint8_t*>(view.bytes.data());
  return at::from_blob(data, view.shape, at::TensorOptions(type_of_view(view, file)));
}

}  // namespace

Weights::Weights(std::shared_ptr<const models::Checkpoint> checkpoint, const Device& device)
    : checkpoint_(std::move(checkpoint)), device_(device) {}

Weights::~Weights() {
  if (loss_.squares == 0) return;
  log::note("int8 weights are approximate: they are off by {:.2f}% (root mean square)",
            100 * std::sqrt(loss_.squared_error / loss_.squares));
}

at::Tensor Weights::take(const std::string& part, const std::string& name) const {
  return load(checkpoint_->at(part, name));
}

at::Tensor Weights::take_if_there(const std::string& part, const std::string& name) const {
  const models::Weight* weight = checkpoint_->find(part, name);
  return weight == nullptr ? at::Tensor() : load(*weight);
}

HeldMatrix Weights::take_matrix(const std::string& part, const std::string& name) const {
  const models::Weight& weight = checkpoint_->at(part, name);
  if (!device_.device.is_cpu() || weight.view->shape.size() != 2) return {load(weight), {}};
  const at::Tensor values = changed(weight);
  const MatrixFormat format =
      device_.matrices.value_or(stored_format(mapped(*weight.view, weight.file).scalar_type()));
  HeldMatrix held = hold_as(format, values, &loss_);
  if (format == MatrixFormat::bfloat16) held.rounding = device_.rounding;
  if (!held.values.is_same(values) || !weight.changes.empty()) checkpoint_->release(weight);
  return held;
}

std::int64_t Weights::columns(const std::string& part, const std::string& name) const {
  return checkpoint_->at(part, name).view->shape.back();
}

// With its low-rank changes, in float32; without any, as it lies in the file.
at::Tensor Weights::changed(const models::Weight& weight) const {
  at::Tensor tensor = mapped(*weight.view, weight.file);
  if (weight.changes.empty()) return tensor;
  tensor = tensor.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
  for (const models::LowRank& change : weight.changes) {
    const at::Tensor down = mapped(*change.down, weight.file).to(at::kFloat);  // [rank, in]
    const at::Tensor up = mapped(*change.up, weight.file).to(at::kFloat);      // [out, rank]
    tensor.add_(at::matmul(up, down), change.scale);                           // [out, in]
  }
  return tensor;
}

at::Tensor Weights::load(const models::Weight& weight) const {
  const at::Tensor tensor = changed(weight);
  if (weight.changes.empty() && device_.device.is_cpu() && tensor.scalar_type() == device_.dtype) {
    return tensor;
  }
  const at::Tensor result = tensor.to(device_.options());
  checkpoint_->release(weight);
  return result;
}

}  // namespace fineprint::nets
