#include "onnx/array.h"

#include <cstring>
#include <limits>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::onnx {
namespace {

using tensorfile::Dtype;

// Values of a TensorProto in any of the fields that may hold them.
struct Values {
  std::optional<Bytes> raw;
  std::vector<float> reals;
  std::vector<std::int64_t>
      small;  // int32_data: integers of up to 32 bits, booleans, bits of halves
  std::vector<std::int64_t> wide;  // int64_data
  std::vector<double> doubles;
};

void add_doubles(const Field& field, const std::string& where, std::vector<double>& values) {
  if (field.wire != 2 || field.bytes.size() % sizeof(double) != 0) {
    throw Error(ErrorCode::model, format("{}: the doubles of an array are damaged", where));
  }
  if (field.bytes.empty()) return;  // memcpy takes no null pointer, even for no bytes
  const std::size_t before = values.size();
  values.resize(before + field.bytes.size() / sizeof(double));
  std::memcpy(values.data() + before, field.bytes.data(), field.bytes.size());
}

template <typename To, typename From>
void append(std::vector<std::uint8_t>& bytes, const std::vector<From>& values) {
  for (const From value : values) {
    const To narrowed = static_cast<To>(value);
    const auto* begin = reinterpret_cast<const std::uint8_t*>(&narrowed);
    bytes.insert(bytes.end(), begin, begin + sizeof(To));
  }
}

std::vector<std::uint8_t> bytes_of(const Values& values, Dtype dtype) {
  if (values.raw) return {values.raw->begin(), values.raw->end()};
  std::vector<std::uint8_t> bytes;
  switch (dtype) {
    case Dtype::f32:
      append<float>(bytes, values.reals);
      break;
    case Dtype::f64:
      append<double>(bytes, values.doubles);
      break;
    case Dtype::i64:
      append<std::int64_t>(bytes, values.wide);
      break;
    case Dtype::i32:
      append<std::int32_t>(bytes, values.small);
      break;
    case Dtype::f16:
    case Dtype::bf16:
      append<std::uint16_t>(bytes, values.small);
      break;
    default:
      append<std::uint8_t>(bytes, values.small);
      break;
  }
  return bytes;
}

// Returns the bytes that the shape needs; nullopt if they cannot be counted.
std::optional<std::uint64_t> bytes_for(const Array& array) {
  std::uint64_t count = tensorfile::dtype_bytes(array.dtype);
  for (const std::int64_t size : array.shape) {
    if (size < 0) return std::nullopt;
    if (size != 0 &&
        count > std::numeric_limits<std::int64_t>::max() / static_cast<std::uint64_t>(size)) {
      return std::nullopt;
    }
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

}  // namespace

std::int64_t Array::element_count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::optional<Dtype> dtype_of(std::int64_t number) {
  switch (number) {
    case 1:
      return Dtype::f32;
    case 2:
      return Dtype::u8;
    case 3:
      return Dtype::i8;
    case 5:
      return Dtype::i16;
    case 6:
      return Dtype::i32;
    case 7:
      return Dtype::i64;
    case 9:
      return Dtype::boolean;
    case 10:
      return Dtype::f16;
    case 11:
      return Dtype::f64;
    case 16:
      return Dtype::bf16;
    default:
      return std::nullopt;
  }
}

NamedArray read_array(Bytes bytes, const std::string& where) {
  NamedArray read;
  Values values;
  std::int64_t type = 0;
  bool elsewhere = false, in_parts = false;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    switch (field.id) {
      case 1:
        add_integers(field, where, read.array.shape);
        break;
      case 2:
        type = field.integer();
        break;
      case 3:
        in_parts = true;
        break;
      case 4:
        add_reals(field, where, values.reals);
        break;
      case 5:
        add_integers(field, where, values.small);
        break;
      case 7:
        add_integers(field, where, values.wide);
        break;
      case 8:
        read.name = field.text();
        break;
      case 9:
        values.raw = field.bytes;
        break;
      case 10:
        add_doubles(field, where, values.doubles);
        break;
      case 13:
        elsewhere = true;
        break;
      case 14:
        elsewhere = elsewhere || field.integer() != 0;
        break;
      default:
        break;  // texts are refused by their type; a description has no effect
    }
  }
  const std::string name = format("{}: array '{}'", where, read.name);
  if (elsewhere) {
    throw Error(ErrorCode::model,
                format("{}: its values are in another file; save the model as one "
                       "file",
                       name));
  }
  const std::optional<Dtype> dtype = dtype_of(type);
  if (!dtype || in_parts) {
    throw Error(ErrorCode::model, format("{}: values of type {} are not supported", name, type));
  }
  read.array.dtype = *dtype;
  read.array.bytes = bytes_of(values, *dtype);
  const std::optional<std::uint64_t> needed = bytes_for(read.array);
  if (!needed || *needed != read.array.bytes.size()) {
    throw Error(ErrorCode::model, format("{}: has {} bytes, which do not match its shape", name,
                                         read.array.bytes.size()));
  }
  return read;
}

}  // namespace fineprint::onnx
