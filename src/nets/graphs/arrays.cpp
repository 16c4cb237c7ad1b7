#include "nets/graphs/arrays.h"

#include <cstring>

#include <ATen/ops/empty.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

using tensorfile::Dtype;

tensorfile::Dtype dtype_of_scalars(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return Dtype::f32;
    case at::kDouble:
      return Dtype::f64;
    case at::kHalf:
      return Dtype::f16;
    case at::kBFloat16:
      return Dtype::bf16;
    case at::kLong:
      return Dtype::i64;
    case at::kInt:
      return Dtype::i32;
    case at::kShort:
      return Dtype::i16;
    case at::kChar:
      return Dtype::i8;
    case at::kByte:
      return Dtype::u8;
    case at::kBool:
      return Dtype::boolean;
    default:
      throw Error(ErrorCode::model, "a network gives values of an unknown type");
  }
}

}  // namespace

at::ScalarType scalar_type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return at::kFloat;
    case Dtype::f64:
      return at::kDouble;
    case Dtype::f16:
      return at::kHalf;
    case Dtype::bf16:
      return at::kBFloat16;
    case Dtype::i64:
      return at::kLong;
    case Dtype::i32:
      return at::kInt;
    case Dtype::i16:
      return at::kShort;
    case Dtype::i8:
      return at::kChar;
    case Dtype::u8:
      return at::kByte;
    case Dtype::boolean:
      return at::kBool;
    case Dtype::f8_e4m3:
      break;
  }
  throw Error(ErrorCode::model, "values of 8-bit floating point are not supported in graphs");
}

std::optional<at::ScalarType> scalar_type_of_number(std::int64_t number) {
  const std::optional<Dtype> dtype = onnx::dtype_of(number);
  if (!dtype) return std::nullopt;
  return scalar_type_of(*dtype);
}

at::Tensor tensor_of(const onnx::Array& array) {
  at::Tensor tensor = at::empty(array.shape, at::TensorOptions(scalar_type_of(array.dtype)));
  if (!array.bytes.empty()) std::memcpy(tensor.data_ptr(), array.bytes.data(), array.bytes.size());
  return tensor;
}

onnx::Array array_of(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.to(at::kCPU).contiguous();
  onnx::Array array{dtype_of_scalars(plain.scalar_type()), plain.sizes().vec(), {}};
  const auto* begin = static_cast<const std::uint8_t*>(plain.const_data_ptr());
  array.bytes.assign(begin, begin + plain.nbytes());
  return array;
}

}  // namespace fineprint::nets
