// The tensors of a checkpoint, used where they lie in the mapped file and each one accounted for.
#include "nets/weights.h"

#include <algorithm>
#include <cstdint>

#include <ATen/ops/from_blob.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

std::string shape_text(at::IntArrayRef shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

at::ScalarType scalar_type(const tensorfile::TensorView& view, const std::string& path) {
  switch (view.dtype) {
    case tensorfile::Dtype::f32:
      return at::kFloat;
    case tensorfile::Dtype::f16:
      return at::kHalf;
    case tensorfile::Dtype::bf16:
      return at::kBFloat16;
    default:
      throw Error(ErrorCode::model,
                  format("{}: tensor {} is of type {}; F32, F16 and BF16 are supported", path,
                         view.name, tensorfile::dtype_name(view.dtype)));
  }
}

}  // namespace

Weights::Weights(const std::string& path, std::initializer_list<const char*> prefixes,
                 const std::string& probe)
    : path_(path), file_(std::make_shared<tensorfile::Reader>(path)) {
  for (const char* prefix : prefixes) {
    if (file_->tensors().contains(prefix + probe)) {
      prefix_ = prefix;
      return;
    }
  }
  throw Error(ErrorCode::model, format("{}: tensor {} is missing; the file does not hold this kind "
                                       "of model",
                                       path, probe));
}

at::Tensor Weights::take(const std::string& name, std::initializer_list<std::int64_t> shape) {
  const tensorfile::TensorView& view = file_->at(prefix_ + name);
  if (!std::equal(shape.begin(), shape.end(), view.shape.begin(), view.shape.end())) {
    throw Error(ErrorCode::model,
                format("{}: tensor {} has shape {}, but config.json asks for {}", path_, view.name,
                       shape_text(view.shape), shape_text(shape)));
  }
  used_.insert(view.name);
  const at::ScalarType type = scalar_type(view, path_);
  // LibTorch has no read-only tensors; nothing writes to a weight.
  auto* data = const_cast<std::uint8_t*>(view.bytes.data());
  if (reinterpret_cast<std::uintptr_t>(data) % dtype_bytes(view.dtype) != 0) {
    throw Error(ErrorCode::model, format("{}: tensor {} is not aligned to its element size; save "
                                         "the file again with a current safetensors",
                                         path_, view.name));
  }
  const at::Tensor mapped = at::from_blob(data, shape, at::TensorOptions(type));
  return type == at::kFloat ? mapped : mapped.to(at::kFloat);
}

void Weights::ignore(const std::string& name) { used_.insert(prefix_ + name); }

void Weights::expect_all_used() const {
  for (const auto& [name, view] : file_->tensors()) {
    if (!used_.contains(name)) {
      throw Error(ErrorCode::model,
                  format("{}: tensor {} has no place in the model that config.json describes",
                         path_, name));
    }
  }
}

}  // namespace fineprint::nets
