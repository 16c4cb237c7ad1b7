// Encodes rows into the types of VectorRows, and decodes them.
#include "fineprint/score/vector_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "score/kernels.h"
#include "score/vector_rows_scalar.h"

namespace fineprint::score {
namespace {

constexpr float kLargestCode = 127.0F;

// Returns the scale of a row: 0 for zeros, NaN if a value is not finite and so has no code.
float scale_of(std::span<const float> row) {
  float largest = 0;
  for (const float value : row) {
    if (!std::isfinite(value)) return std::numeric_limits<float>::quiet_NaN();
    largest = std::max(largest, std::abs(value));
  }
  const float scale = largest / kLargestCode;
  // A denormal quotient may be too small by much of itself, and the largest value needs a code too.
  const bool coarse = largest > 0 && scale < std::numeric_limits<float>::min();
  return coarse ? std::nextafter(scale, 1.0F) : scale;
}

// Clamps, because a value divided by the rounded scale may exceed the largest code slightly.
void encode_codes(std::span<const float> row, float scale, std::uint8_t* out) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float code =
        scale > 0 ? std::clamp(std::nearbyint(row[i] / scale), -kLargestCode, kLargestCode) : 0;
    out[i] = static_cast<std::uint8_t>(static_cast<std::int8_t>(code));
  }
}

// memcpy, because the bytes may have any alignment.
template <typename Convert>
void encode_halves(std::span<const float> values, Convert convert, std::uint8_t* out) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t bits = convert(values[i]);
    std::memcpy(out + i * sizeof(bits), &bits, sizeof(bits));
  }
}

}  // namespace

std::string_view vector_type_name(VectorType type) {
  switch (type) {
    case VectorType::f32:
      return "float32";
    case VectorType::f16:
      return "float16";
    case VectorType::bf16:
      return "bfloat16";
    case VectorType::i8:
      return "int8";
  }
  return "";
}

// Encoding happens once, while indexing, so it needs no kernels.
EncodedRows encode_rows(std::span<const float> values, std::size_t count, std::size_t dim,
                        VectorType type) {
  if (values.size() != count * dim) {
    throw Error(ErrorCode::internal, format("{} numbers are not {} rows of {}; encode_rows was "
                                            "called with the wrong shape",
                                            values.size(), count, dim));
  }
  EncodedRows encoded{.type = type, .count = count, .dim = dim, .values = {}, .scales = {}};
  encoded.values.resize(values.size() * vector_type_bytes(type));
  if (type == VectorType::f32 && !values.empty()) {
    std::memcpy(encoded.values.data(), values.data(), values.size_bytes());
  } else if (type == VectorType::f16) {
    encode_halves(values, f16_of_float, encoded.values.data());
  } else if (type == VectorType::bf16) {
    encode_halves(values, bf16_of_float, encoded.values.data());
  } else if (type == VectorType::i8) {
    for (std::size_t r = 0; r < count; ++r) {
      const std::span<const float> row = values.subspan(r * dim, dim);
      encoded.scales.push_back(scale_of(row));
      encode_codes(row, encoded.scales.back(), encoded.values.data() + r * dim);
    }
  }
  return encoded;
}

// Kernels decode codes without their scale, which is multiplied here.
void decode_row(const VectorRows& rows, std::size_t r, float* out) {
  kernels().dense.best().decode(rows.type, rows.row(r), rows.dim, out);
  if (rows.type != VectorType::i8) return;
  for (std::size_t i = 0; i < rows.dim; ++i) out[i] *= rows.scales[r];
}

}  // namespace fineprint::score
