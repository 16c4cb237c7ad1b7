// How saved states and features lie on a shelf: as they are, or states in a narrower format.
#include "nets/generation/shelf_bytes.h"

#include <cstddef>
#include <cstring>

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/where.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "nets/decoder/state.h"

namespace fineprint::nets {
namespace {

constexpr std::int32_t kAsSaved = -1;

// In front of shelved bytes: the format, then what stood in front of the saved ones.
struct ShelfHeader {
  std::int32_t type = kAsSaved;  // an at::ScalarType
  std::int32_t unused = 0;
  SavedHeader saved;
};

// In front of a matrix.
struct RowsHeader {
  std::int64_t rows = 0, columns = 0;
  std::int64_t type = 0;  // an at::ScalarType
};

// What a model computes in.
bool is_stored(at::ScalarType type) {
  return type == at::kFloat || type == at::kHalf || type == at::kBFloat16;
}

[[noreturn]] void refuse() { throw Error(ErrorCode::input, "its bytes are cut off or damaged"); }

at::ScalarType scalar_type(const std::string& dtype) {
  if (dtype == "float16") return at::kHalf;
  if (dtype == "bfloat16") return at::kBFloat16;
  if (dtype == "int8") return at::kChar;
  throw Error(ErrorCode::usage,
              format("kept states as {}: use auto, float16, bfloat16 or int8", dtype));
}

// Rows of head_dim values.
at::Tensor rows_at(const std::uint8_t* data, const SavedHeader& saved, at::ScalarType type) {
  const std::int64_t rows = saved.layers * 2 * saved.tokens * saved.kv_heads;
  return at::from_blob(const_cast<std::uint8_t*>(data), {rows, saved.head_dim},
                       at::TensorOptions(type));  // only read
}

void append(const at::Tensor& values, std::vector<std::uint8_t>* bytes) {
  const at::Tensor whole = values.contiguous();
  const auto* data = static_cast<const std::uint8_t*>(whole.const_data_ptr());
  bytes->insert(bytes->end(), data, data + whole.nbytes());
}

}  // namespace

void check_shelf_dtype(const std::string& dtype) {
  if (dtype != "auto") scalar_type(dtype);
}

bool is_narrower(const std::string& dtype, at::ScalarType model_dtype) {
  return dtype != "auto" && scalar_type(dtype) != model_dtype;
}

std::vector<std::uint8_t> to_shelf_bytes(std::vector<std::uint8_t> saved,
                                         const std::string& dtype) {
  ShelfHeader header;
  std::memcpy(&header.saved, saved.data(), sizeof(header.saved));
  const auto from = static_cast<at::ScalarType>(header.saved.type);
  const at::ScalarType to = dtype == "auto" ? from : scalar_type(dtype);
  header.type = to == from ? kAsSaved : static_cast<std::int32_t>(to);
  std::vector<std::uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  const at::Tensor values = rows_at(saved.data() + sizeof(header.saved), header.saved, from);
  if (to == at::kChar) {
    const at::Tensor wide = values.to(at::kFloat);
    const at::Tensor scale = wide.abs().amax(1, true).div_(127).clamp_min_(1e-30);  // [rows, 1]
    append(scale, &bytes);
    append(wide.div(scale).round_().to(at::kChar), &bytes);
  } else {
    append(values.to(to), &bytes);
  }
  return bytes;
}

std::vector<std::uint8_t> from_shelf_bytes(std::span<const std::uint8_t> shelved) {
  ShelfHeader header;
  if (shelved.size() < sizeof(header)) refuse();
  std::memcpy(&header, shelved.data(), sizeof(header));
  const std::uint8_t* data = shelved.data() + sizeof(header);
  const std::size_t size = shelved.size() - sizeof(header);
  if (header.type == kAsSaved) {
    return {shelved.begin() + offsetof(ShelfHeader, saved), shelved.end()};
  }
  const auto type = static_cast<at::ScalarType>(header.type);
  const bool scaled = type == at::kChar;
  if (!scaled && type != at::kHalf && type != at::kBFloat16) refuse();
  const auto saved_type = static_cast<at::ScalarType>(header.saved.type);
  if (!is_stored(saved_type)) refuse();
  const std::size_t width = scaled ? 1 : 2;
  const std::size_t scale_bytes = scaled ? sizeof(float) : 0;
  // Every count is bounded by the size before they are multiplied.
  std::size_t rows = 1;
  for (const std::int64_t count :
       {header.saved.layers, std::int64_t{2}, header.saved.tokens, header.saved.kv_heads}) {
    if (count < 0 || static_cast<std::size_t>(count) > size) refuse();
    rows *= static_cast<std::size_t>(count);
    if (rows > size) refuse();
  }
  const std::int64_t dim = header.saved.head_dim;
  if (dim < 1 || static_cast<std::size_t>(dim) > size ||
      rows * (static_cast<std::size_t>(dim) * width + scale_bytes) != size) {
    refuse();
  }
  at::Tensor values = rows_at(data + rows * scale_bytes, header.saved, type).to(at::kFloat);
  if (scaled) {
    values.mul_(at::from_blob(const_cast<std::uint8_t*>(data), {static_cast<std::int64_t>(rows), 1},
                              at::TensorOptions(at::kFloat)));
  }
  const auto* front = reinterpret_cast<const std::uint8_t*>(&header.saved);
  std::vector<std::uint8_t> saved(front, front + sizeof(header.saved));
  append(values.to(saved_type), &saved);
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
