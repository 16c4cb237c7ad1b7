// Opens a safetensors file. Trusts nothing in its header before it is checked.
#include <algorithm>
#include <cstring>
#include <limits>

#include <sys/mman.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/tensorfile/coded.h"
#include "fineprint/tensorfile/safetensors.h"

#include "tensorfile/dtype.h"

namespace fineprint::tensorfile {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the reference implementation
constexpr const char* kMetadata = "__metadata__";

// The range of an array in the data section, as the header gives it.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::model, format("{} is not a usable safetensors file: {}", path, why));
}

// Compares with the rest of the file and does not add, because a damaged length could overflow a
// sum.
std::uint64_t header_bytes(std::span<const std::uint8_t> file, const std::string& path) {
  if (file.size() < kPrefixBytes) refuse(path, format("it has only {} bytes", file.size()));
  std::uint64_t length = 0;
  for (std::size_t i = kPrefixBytes; i > 0; --i) length = length << 8 | file[i - 1];
  if (length > kMaxHeaderBytes) {
    refuse(path, format("a header of {} bytes is over the limit of {}", length, kMaxHeaderBytes));
  }
  if (length > file.size() - kPrefixBytes) {
    refuse(path, format("its header of {} bytes does not fit a file of {}; is it cut off?", length,
                        file.size()));
  }
  return length;
}

// Limits the depth, because deeply nested JSON could exhaust the stack. Repeated keys are refused,
// because programs differ in which one they take.
Json parse_header(std::string_view text, const std::string& path) {
  if (!text.starts_with('{')) refuse(path, "its header is not a JSON object");
  JsonLimits limits;
  limits.max_depth = 4;  // object of objects of lists
  limits.unique_keys = true;
  try {
    return parse_json(text, "header", limits);
  } catch (const Error& error) {
    refuse(path, error.what());
  }
}

// JSON numbers may be negative or have fractions.
std::uint64_t to_unsigned(const Json& value, const std::string& where) {
  if (!value.is_number_unsigned()) {
    throw Error(ErrorCode::model, where + " has a number that is not an integer from 0");
  }
  return value.get<std::uint64_t>();
}

const Json& list_field(const Json& entry, const char* field, const std::string& where) {
  const auto found = entry.find(field);
  if (found == entry.end() || !found->is_array()) {
    throw Error(ErrorCode::model, format("{} has no list '{}'", where, field));
  }
  return *found;
}

// Names the type in the message, because newer files may use types that this program does not know.
Dtype read_dtype(const Json& entry, const std::string& where) {
  const auto found = entry.find("dtype");
  if (found == entry.end() || !found->is_string()) {
    throw Error(ErrorCode::model, where + " has no 'dtype'");
  }
  const auto& name = found->get_ref<const std::string&>();
  const std::optional<Dtype> dtype = dtype_of(name);
  if (!dtype)
    throw Error(ErrorCode::model, format("{} has dtype {}, which is not supported", where, name));
  return *dtype;
}

// Extents must fit std::int64_t. checked_bytes() checks their product.
std::vector<std::int64_t> read_shape(const Json& entry, const std::string& where) {
  std::vector<std::int64_t> shape;
  for (const Json& value : list_field(entry, "shape", where)) {
    const std::uint64_t extent = to_unsigned(value, where + ", shape,");
    if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      throw Error(ErrorCode::model, where + " has a shape that overflows");
    }
    shape.push_back(static_cast<std::int64_t>(extent));
  }
  return shape;
}

// Only the order and the end are checked here. check_layout() checks that extents do not overlap.
Extent read_extent(const Json& entry, std::uint64_t data_bytes, const std::string& where) {
  const Json& offsets = list_field(entry, "data_offsets", where);
  if (offsets.size() != 2) {
    throw Error(ErrorCode::model, where + " must have two data_offsets");
  }
  const Extent extent{to_unsigned(offsets[0], where + ", data_offsets,"),
                      to_unsigned(offsets[1], where + ", data_offsets,")};
  if (extent.begin > extent.end || extent.end > data_bytes) {
    throw Error(ErrorCode::model, format("{} claims bytes {} to {} of {}; is the file cut off?",
                                         where, extent.begin, extent.end, data_bytes));
  }
  return extent;
}

// The size by the shape must be exactly the range in the file: anything else means damage.
TensorView read_entry(const std::string& name, const Json& entry,
                      std::span<const std::uint8_t> data, const std::string& path) {
  const std::string where = format("{}, tensor '{}'", path, name);
  if (!entry.is_object()) throw Error(ErrorCode::model, where + " is not described by an object");
  TensorView view{name, read_dtype(entry, where), read_shape(entry, where), {}, {}};
  const Extent extent = read_extent(entry, data.size(), where);
  const std::optional<std::uint64_t> bytes = checked_bytes(view.dtype, view.shape);
  if (!bytes) throw Error(ErrorCode::model, where + " has a shape that overflows");
  if (*bytes != extent.end - extent.begin) {
    throw Error(ErrorCode::model, format("{} needs {} bytes by its shape, but claims {}", where,
                                         *bytes, extent.end - extent.begin));
  }
  view.bytes = data.subspan(extent.begin, extent.end - extent.begin);
  return view;
}

// Checks that arrays follow each other from the first byte to the last. Sorts by size, too, so that
// an empty array, which may be anywhere between two others, comes before the array at its address.
void check_layout(const std::map<std::string, TensorView>& tensors,
                  std::span<const std::uint8_t> data, const std::string& path) {
  std::vector<const TensorView*> order;
  for (const auto& [name, view] : tensors) order.push_back(&view);
  std::ranges::sort(order, {}, [](const TensorView* view) {
    return std::pair(view->bytes.data(), view->bytes.size());
  });
  const std::uint8_t* next = data.data();
  for (const TensorView* view : order) {
    const std::ptrdiff_t gap = view->bytes.data() - next;
    if (gap != 0) {
      refuse(path, format("tensor '{}' {}", view->name,
                          gap < 0 ? "overlaps another" : "leaves a hole before it"));
    }
    next += view->bytes.size();
  }
  if (next != data.data() + data.size()) {
    refuse(path,
           format("{} bytes at its end belong to no tensor", data.data() + data.size() - next));
  }
}

// A file that cannot be opened is a problem of the model here, so the error gets that code.
MappedFile map_file(const std::string& path) {
  try {
    return MappedFile(path);
  } catch (const Error& error) {
    throw Error(ErrorCode::model, error.what());
  }
}

}  // namespace

// Derived from the bytes, which were checked against the shape when the file was opened.
std::int64_t TensorView::element_count() const {
  if (coded) return coded->rows * coded->columns;
  if (!blocks) return static_cast<std::int64_t>(bytes.size() / dtype_bytes(dtype));
  const BlockShape block = block_shape(*blocks);
  return static_cast<std::int64_t>(bytes.size()) / block.bytes * block.values;
}

struct SafetensorsReader::State {
  std::string path;
  MappedFile file;
  std::map<std::string, TensorView> tensors;
  std::map<std::string, std::string> metadata;

  void read_metadata(const Json& entries) {
    if (!entries.is_object()) refuse(path, "__metadata__ is not an object");
    for (const auto& [key, value] : entries.items()) {
      if (!value.is_string()) refuse(path, format("__metadata__ '{}' is not a string", key));
      metadata[key] = value.get<std::string>();
    }
  }
};

SafetensorsReader::SafetensorsReader(const std::string& path)
    : state_(new State{path, map_file(path), {}, {}}) {
  const std::span<const std::uint8_t> file = state_->file.bytes();
  const std::uint64_t length = header_bytes(file, path);
  const auto* text = reinterpret_cast<const char*>(file.data() + kPrefixBytes);
  const Json header = parse_header({text, length}, path);
  const auto data = file.subspan(kPrefixBytes + length);
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata) {
      state_->read_metadata(entry);
    } else {
      state_->tensors.emplace(name, read_entry(name, entry, data, path));
    }
  }
  check_layout(state_->tensors, data, path);
}

SafetensorsReader::~SafetensorsReader() = default;
SafetensorsReader::SafetensorsReader(SafetensorsReader&&) noexcept = default;

const std::map<std::string, TensorView>& SafetensorsReader::tensors() const {
  return state_->tensors;
}

const std::map<std::string, std::string>& SafetensorsReader::metadata() const {
  return state_->metadata;
}

const TensorView& SafetensorsReader::at(const std::string& name) const {
  const auto found = state_->tensors.find(name);
  if (found == state_->tensors.end()) {
    throw Error(ErrorCode::model, format("{} has no tensor '{}'", state_->path, name));
  }
  return found->second;
}

// Rounds inwards to complete memory pages, because the first and last may belong to neighbours,
// too.
void release(const TensorView& view) {
  if (view.coded) {
    release(view.coded->codes);
    release(view.coded->scales);
    return;
  }
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(view.bytes.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + view.bytes.size()) / page * page;
  if (first >= last) return;
  // Ignores the result, because this is only advice: if it is not taken, only memory is wasted.
  static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED));
}

}  // namespace fineprint::tensorfile
