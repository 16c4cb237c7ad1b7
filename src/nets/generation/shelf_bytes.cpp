// Encodes states and features for the shelf: unchanged, or states in a narrower number format.
#include "nets/generation/shelf_bytes.h"

#include <cstring>

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/where.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "nets/decoder/state.h"

namespace fineprint::nets {
namespace {

// Stored values of an at::ScalarType are never negative.
constexpr std::int32_t kAsSaved = -1;

// Precedes the bytes on the shelf.
struct ShelfHeader {
  std::int32_t type = kAsSaved;  // the at::ScalarType of all values
  std::int32_t unused = 0;       // keeps the values after it aligned to 8 bytes
};

// Precedes a matrix.
struct RowsHeader {
  std::int64_t rows = 0, columns = 0;
  std::int64_t type = 0;  // an at::ScalarType
};

// Returns true for the number formats that a model computes in.
bool is_stored(at::ScalarType type) {
  return type == at::kFloat || type == at::kHalf || type == at::kBFloat16;
}

[[noreturn]] void refuse() { throw Error(ErrorCode::input, "its bytes are truncated or damaged"); }

at::ScalarType scalar_type(const std::string& dtype) {
  if (dtype == "float16") return at::kHalf;
  if (dtype == "bfloat16") return at::kBFloat16;
  if (dtype == "int8") return at::kChar;
  throw Error(ErrorCode::usage,
              format("cannot store states as {}; use auto, float16, bfloat16 or int8", dtype));
}

at::Tensor rows_at(const std::uint8_t* data, std::int64_t rows, std::int64_t width,
                   at::ScalarType type) {
  return at::from_blob(const_cast<std::uint8_t*>(data), {rows, width},
                       at::TensorOptions(type));  // only read
}

template <typename Value>
Value take(std::span<const std::uint8_t>* bytes) {
  Value value;
  if (bytes->size() < sizeof(value)) refuse();
  std::memcpy(&value, bytes->data(), sizeof(value));
  *bytes = bytes->subspan(sizeof(value));
  return value;
}

template <typename Value>
void put(const Value& value, std::vector<std::uint8_t>* bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(&value);
  bytes->insert(bytes->end(), data, data + sizeof(value));
}

void append(const at::Tensor& values, std::vector<std::uint8_t>* bytes) {
  const at::Tensor contiguous_values = values.contiguous();
  const auto* data = static_cast<const std::uint8_t*>(contiguous_values.const_data_ptr());
  bytes->insert(bytes->end(), data, data + contiguous_values.nbytes());
}

// Appends the values of one part in a narrower format. int8 has one scale for each row, because the
// sizes of keys differ between heads and tokens.
void narrow_part(const at::Tensor& values, at::ScalarType to, std::vector<std::uint8_t>* bytes) {
  if (to != at::kChar) {
    append(values.to(to), bytes);
    return;
  }
  const at::Tensor wide = values.to(at::kFloat);
  // Clamped, because a row of zeros would otherwise divide by zero.
  const at::Tensor scale = wide.abs().amax(1, true).div_(127).clamp_min_(1e-30);  // [rows, 1]
  append(scale, bytes);
  append(wide.div(scale).round_().to(at::kChar), bytes);
}

// Decodes the part at the beginning of `shelved`, appends it as it was saved, and moves `shelved`
// past it.
void widen_part(at::ScalarType from, std::span<const std::uint8_t>* shelved,
                std::vector<std::uint8_t>* bytes) {
  const auto header = take<SavedHeader>(shelved);
  const std::size_t saved_size = header.bytes();
  // The counts are checked against the bytes present before they are multiplied: a damaged file may
  // hold any numbers, and a product could overflow.
  if (saved_size / sizeof(float) > shelved->size()) refuse();
  const auto type = static_cast<at::ScalarType>(header.type);
  const std::int64_t rows = header.layers * header.rows;
  const std::size_t scales = from == at::kChar ? static_cast<std::size_t>(rows) * sizeof(float) : 0;
  const std::size_t values_size =
      static_cast<std::size_t>(rows * header.width) * c10::elementSize(from);
  if (scales + values_size > shelved->size()) refuse();
  const std::uint8_t* data = shelved->data();
  put(header, bytes);
  if (values_size > 0) {
    at::Tensor values = rows_at(data + scales, rows, header.width, from).to(at::kFloat);
    if (scales > 0) values.mul_(rows_at(data, rows, 1, at::kFloat));
    append(values.to(type), bytes);
  }
  *shelved = shelved->subspan(scales + values_size);
}

}  // namespace

void check_shelf_dtype(const std::string& dtype) {
  if (dtype != "auto") scalar_type(dtype);
}

bool is_narrower(const std::string& dtype, at::ScalarType model_dtype) {
  return dtype != "auto" && scalar_type(dtype) != model_dtype;
}

std::vector<std::uint8_t> to_shelf_bytes(std::span<const std::uint8_t> saved,
                                         const std::string& dtype) {
  ShelfHeader header;
  if (dtype != "auto") header.type = static_cast<std::int32_t>(scalar_type(dtype));
  std::vector<std::uint8_t> bytes;
  put(header, &bytes);
  if (dtype == "auto") {
    bytes.insert(bytes.end(), saved.begin(), saved.end());
    return bytes;
  }
  put(take<SavedState>(&saved), &bytes);
  while (!saved.empty()) {
    const auto part = take<SavedHeader>(&saved);
    put(part, &bytes);
    const at::Tensor values = rows_at(saved.data(), part.layers * part.rows, part.width,
                                      static_cast<at::ScalarType>(part.type));
    if (part.bytes() > 0) narrow_part(values, scalar_type(dtype), &bytes);
    saved = saved.subspan(part.bytes());
  }
  return bytes;
}

std::vector<std::uint8_t> from_shelf_bytes(std::span<const std::uint8_t> shelved) {
  const auto header = take<ShelfHeader>(&shelved);
  if (header.type == kAsSaved) return {shelved.begin(), shelved.end()};
  const auto type = static_cast<at::ScalarType>(header.type);
  if (type != at::kChar && type != at::kHalf && type != at::kBFloat16) refuse();
  std::vector<std::uint8_t> saved;
  put(take<SavedState>(&shelved), &saved);
  while (!shelved.empty()) widen_part(type, &shelved, &saved);
  return saved;
}

std::vector<std::uint8_t> rows_to_bytes(const at::Tensor& rows) {
  const RowsHeader header{rows.size(0), rows.size(1),
                          static_cast<std::int64_t>(rows.scalar_type())};
  const auto* front = reinterpret_cast<const std::uint8_t*>(&header);
  std::vector<std::uint8_t> bytes(front, front + sizeof(header));
  append(rows.cpu(), &bytes);
  return bytes;
}

at::Tensor rows_from_bytes(std::span<const std::uint8_t> bytes) {
  RowsHeader header;
  if (bytes.size() < sizeof(header)) refuse();
  std::memcpy(&header, bytes.data(), sizeof(header));
  // Divided instead of multiplied, because the header may hold any numbers.
  const auto type = static_cast<at::ScalarType>(header.type);
  if (!is_stored(type)) refuse();
  const std::size_t values = (bytes.size() - sizeof(header)) / c10::elementSize(type);
  const auto rows = static_cast<std::size_t>(header.rows);
  const auto columns = static_cast<std::size_t>(header.columns);
  if (header.rows < 1 || header.columns < 1 || rows > values || values % rows != 0 ||
      values / rows != columns ||
      values * c10::elementSize(type) + sizeof(header) != bytes.size()) {
    refuse();
  }
  auto* data = const_cast<std::uint8_t*>(bytes.data() + sizeof(header));  // only read
  return at::from_blob(data, {header.rows, header.columns}, at::TensorOptions(type)).clone();
}

}  // namespace fineprint::nets
