// Writes a safetensors file completely or not at all.
#include <algorithm>
#include <set>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/tensorfile/safetensors.h"

#include "tensorfile/dtype.h"

namespace fineprint::tensorfile {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector register

std::size_t size_of(const TensorToWrite& tensor) {
  std::size_t size = tensor.bytes.size();
  for (const auto& piece : tensor.more) size += piece.size();
  return size;
}

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Errors here are faults of the caller, hence Error(internal).
void check(const std::string& path, const std::vector<TensorToWrite>& tensors) {
  std::set<std::string_view> names;
  for (const TensorToWrite& tensor : tensors) {
    if (tensor.name == "__metadata__" || !names.insert(tensor.name).second) {
      throw Error(
          ErrorCode::internal,
          format("{}: the tensor name '{}' is used already or reserved", path, tensor.name));
    }
    if (checked_bytes(tensor.dtype, tensor.shape) != size_of(tensor)) {
      throw Error(ErrorCode::internal,
                  format("{}: tensor '{}' has {} bytes, which does not match its shape", path,
                         tensor.name, size_of(tensor)));
    }
  }
}

// Sorts the widest elements first. The format allows no gaps, and this order still keeps each array
// aligned to its elements.
std::vector<const TensorToWrite*> write_order(const std::vector<TensorToWrite>& tensors) {
  std::vector<const TensorToWrite*> order;
  for (const TensorToWrite& tensor : tensors) order.push_back(&tensor);
  std::ranges::stable_sort(order, std::greater{},
                           [](const TensorToWrite* tensor) { return dtype_bytes(tensor->dtype); });
  return order;
}

// emplace_back keeps the entries in the order of the data.
std::string header_of(const std::vector<const TensorToWrite*>& order,
                      const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t begin = 0;
  for (const TensorToWrite* tensor : order) {
    const std::uint64_t end = begin + size_of(*tensor);
    header.get_ref<Json::object_t&>().emplace_back(tensor->name,
                                                   Json{{"dtype", dtype_name(tensor->dtype)},
                                                        {"shape", tensor->shape},
                                                        {"data_offsets", {begin, end}}});
    begin = end;
  }
  std::string text = dump_json(header);
  // Pads the header with spaces, as the format allows, so that the data starts aligned.
  text.append((kAlignment - (kPrefixBytes + text.size()) % kAlignment) % kAlignment, ' ');
  return text;
}

std::string prefix_of(std::uint64_t length) {
  std::string bytes;
  for (std::size_t i = 0; i < kPrefixBytes; ++i) bytes += static_cast<char>(length >> 8 * i & 0xFF);
  return bytes;
}

}  // namespace

void write(const std::string& path, const std::vector<TensorToWrite>& tensors,
           const std::map<std::string, std::string>& metadata) {
  check(path, tensors);
  const std::vector<const TensorToWrite*> order = write_order(tensors);
  const std::string header = header_of(order, metadata);
  const std::string prefix = prefix_of(header.size());
  std::vector<std::string_view> pieces{prefix, header};
  for (const TensorToWrite* tensor : order) {
    pieces.push_back(text_of(tensor->bytes));
    for (const auto& piece : tensor->more) pieces.push_back(text_of(piece));
  }
  write_file_atomic(path, pieces);
}

}  // namespace fineprint::tensorfile
