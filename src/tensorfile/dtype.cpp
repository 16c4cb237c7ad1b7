// Sizes and names of element types.
#include "tensorfile/dtype.h"

#include <array>

namespace fineprint::tensorfile {
namespace {

struct DtypeFacts {
  Dtype dtype;
  std::size_t bytes;
  std::string_view name;
};

// In the order of Dtype, so that a type is an index.
constexpr std::array<DtypeFacts, 11> kDtypes{{
    {Dtype::f64, 8, "F64"},
    {Dtype::f32, 4, "F32"},
    {Dtype::f16, 2, "F16"},
    {Dtype::bf16, 2, "BF16"},
    {Dtype::f8_e4m3, 1, "F8_E4M3"},
    {Dtype::i64, 8, "I64"},
    {Dtype::i32, 4, "I32"},
    {Dtype::i16, 2, "I16"},
    {Dtype::i8, 1, "I8"},
    {Dtype::u8, 1, "U8"},
    {Dtype::boolean, 1, "BOOL"},
}};

const DtypeFacts& facts_of(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::size_t dtype_bytes(Dtype dtype) { return facts_of(dtype).bytes; }

std::string_view dtype_name(Dtype dtype) { return facts_of(dtype).name; }

// A linear search over eleven names is fast enough: it runs once for each array.
std::optional<Dtype> dtype_of(std::string_view name) {
  for (const DtypeFacts& facts : kDtypes) {
    if (facts.name == name) return facts.dtype;
  }
  return std::nullopt;
}

// Multiplies with an overflow check, because shapes come from untrusted files.
std::optional<std::uint64_t> checked_bytes(Dtype dtype, std::span<const std::int64_t> shape) {
  std::uint64_t bytes = dtype_bytes(dtype);
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) {
      return std::nullopt;
    }
  }
  return bytes;
}

}  // namespace fineprint::tensorfile
