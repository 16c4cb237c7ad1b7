// Opens a GGUF file. Trusts nothing in its header before it is checked.
#include <algorithm>
#include <fstream>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/tensorfile/gguf.h"

#include "tensorfile/gguf/cursor.h"
#include "tensorfile/gguf/tensor_types.h"
#include "tensorfile/gguf/values.h"

namespace fineprint::tensorfile {
namespace {

constexpr std::string_view kMagic = "GGUF";
// Limits far above any published model, so that a damaged count is noticed at once.
constexpr std::uint64_t kMaxKeys = 1 << 16;
constexpr std::uint64_t kMaxTensors = 1 << 20;
constexpr std::uint64_t kMaxKeyBytes = (1 << 16) - 1;  // the format's limit
constexpr std::uint64_t kMaxTensorNameBytes = 64;      // the format's limit
constexpr std::uint32_t kMaxDimensions = 4;            // the format's limit
constexpr std::uint64_t kLeastClaimBytes = 33;         // a name of one letter and one dimension
constexpr std::uint64_t kMaxAlignment = 1 << 20;
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr const char* kAlignmentKey = "general.alignment";

using Metadata = std::map<std::string, GgufValue, std::less<>>;

// A tensor as the header describes it.
struct TensorClaim {
  TensorView view;  // without its bytes
  std::uint64_t offset = 0, size = 0;
};

// Accepts only printable ASCII, because keys and names appear in messages and lookups.
bool is_printable(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
}

std::string read_name(GgufCursor* cursor, std::uint64_t most) {
  const std::string_view text = cursor->text(most);
  if (!is_printable(text)) cursor->reject("has a name that is empty or not printable ASCII");
  return std::string(text);
}

int read_version(GgufCursor* cursor) {
  const auto magic = cursor->take(kMagic.size());
  if (!std::ranges::equal(magic, kMagic)) cursor->reject("does not begin with \"GGUF\"");
  const std::uint32_t version = cursor->u32();
  // In the other byte order the low half of a small version is zero.
  if (version != 0 && (version & 0xFFFF) == 0) {
    cursor->reject("is from a file for machines of the other byte order; convert the model again");
  }
  if (version != 2 && version != 3) {
    cursor->reject(format("gives version {}; only 2 and 3 are supported", version));
  }
  return static_cast<int>(version);
}

// A limit makes damage show here, and not as a huge allocation.
std::uint64_t read_count(GgufCursor* cursor, std::string_view of, std::uint64_t most) {
  const std::uint64_t count = cursor->u64();
  if (count > most) cursor->reject(format("claims {} {}, over the limit of {}", count, of, most));
  return count;
}

Metadata read_metadata(std::uint64_t count, GgufCursor* cursor) {
  Metadata metadata;
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor->name(format("key {}", i));
    std::string key = read_name(cursor, kMaxKeyBytes);
    cursor->name(format("the value of {}", key));
    GgufValue value = read_gguf_value(cursor);
    if (!metadata.emplace(key, std::move(value)).second) cursor->reject("exists twice");
  }
  return metadata;
}

// The format requires a multiple of 8. This program accepts only powers of two.
std::uint64_t read_alignment(const Metadata& metadata, const std::string& path) {
  const auto found = metadata.find(kAlignmentKey);
  if (found == metadata.end()) return kDefaultAlignment;
  const auto* value = std::get_if<std::uint64_t>(&found->second);
  if (value == nullptr || *value < 8 || *value > kMaxAlignment || (*value & (*value - 1)) != 0) {
    refuse_gguf(path,
                format("{} is not a power of two from 8 to {}", kAlignmentKey, kMaxAlignment));
  }
  return *value;
}

// Reverses the order: the file begins with the extent that varies fastest.
std::vector<std::int64_t> read_extents(GgufCursor* cursor) {
  const std::uint32_t dimensions = cursor->u32();
  if (dimensions == 0 || dimensions > kMaxDimensions) {
    cursor->reject(format("has {} dimensions; 1 to {} are supported", dimensions, kMaxDimensions));
  }
  std::vector<std::int64_t> shape(dimensions);
  std::uint64_t elements = 1;
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const std::uint64_t extent = cursor->u64();
    // Elements have up to eight bytes, so an eighth of the range keeps sizes from overflowing.
    if (extent == 0 || __builtin_mul_overflow(elements, extent, &elements) ||
        elements > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / 8) {
      cursor->reject("has a shape that is empty or overflows");
    }
    shape[dimensions - 1 - i] = static_cast<std::int64_t>(extent);
  }
  return shape;
}

// A type that the format has but this program does not gets its own message, with a way out.
TensorType read_tensor_type(GgufCursor* cursor) {
  const std::uint32_t number = cursor->u32();
  const std::optional<TensorType> type = tensor_type_of(number);
  if (type) return *type;
  const std::string_view name = tensor_type_name(number);
  if (name.empty()) cursor->reject(format("has the unknown type {}", number));
  cursor->reject(format(
      "has type {}, which is not supported; get the model in another type (Q4_K_M, Q8_0)", name));
}

// Cannot overflow: there are at most 2^63 / 8 elements of at most eight bytes.
std::uint64_t size_of_claim(const TensorView& view, GgufCursor* cursor) {
  std::uint64_t elements = 1;
  for (const std::int64_t extent : view.shape) elements *= static_cast<std::uint64_t>(extent);
  if (!view.blocks) return elements * dtype_bytes(view.dtype);
  const BlockShape block = block_shape(*view.blocks);
  if (view.shape.back() % block.values != 0) {
    cursor->reject(format("has rows of {} values, which are not complete blocks of {} ({})",
                          view.shape.back(), block.values, block_name(*view.blocks)));
  }
  return elements / static_cast<std::uint64_t>(block.values) *
         static_cast<std::uint64_t>(block.bytes);
}

TensorClaim read_claim(std::uint64_t index, GgufCursor* cursor) {
  cursor->name(format("tensor {}", index));
  TensorClaim claim;
  claim.view.name = read_name(cursor, kMaxTensorNameBytes);
  cursor->name(format("tensor '{}'", claim.view.name));
  claim.view.shape = read_extents(cursor);
  const TensorType type = read_tensor_type(cursor);
  claim.view.dtype = type.dtype;
  claim.view.blocks = type.blocks;
  claim.size = size_of_claim(claim.view, cursor);
  claim.offset = cursor->u64();
  return claim;
}

std::uint64_t padded(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// A file that cannot be opened is a problem of the model here, so the error gets that code.
MappedFile map_gguf(const std::string& path) {
  try {
    return MappedFile(path);
  } catch (const Error& error) {
    throw Error(ErrorCode::model, error.what());
  }
}

// Returns what a part says about the set that it belongs to.
std::uint64_t split_fact(const Metadata& metadata, const std::string& key,
                         const std::string& path) {
  const auto found = metadata.find(key);
  if (found != metadata.end()) {
    if (const auto* natural = std::get_if<std::uint64_t>(&found->second)) return *natural;
    const auto* integer = std::get_if<std::int64_t>(&found->second);
    if (integer != nullptr && *integer >= 0) return static_cast<std::uint64_t>(*integer);
  }
  refuse_gguf(path, format("its name is that of one part of several, but {} is {}", key,
                           found == metadata.end() ? "missing" : "not a count"));
}

// Parts of different models, or renamed ones, would give a mixture.
void check_part(const Metadata& metadata, const std::vector<std::string>& paths,
                std::size_t index) {
  const std::string& path = paths[index];
  const std::uint64_t count = split_fact(metadata, "split.count", path);
  if (count != paths.size()) {
    refuse_gguf(path, format("split.count is {}, but its name says {}", count, paths.size()));
  }
  // Parts are numbered from 0 inside, from 1 in names.
  const std::uint64_t number = split_fact(metadata, "split.no", path);
  if (number != index) {
    refuse_gguf(path, format("split.no is {}, but by its name it is part {} of {}", number,
                             index + 1, paths.size()));
  }
}

void check_all_there(const std::vector<std::string>& paths) {
  std::string missing;
  for (const std::string& path : paths) {
    if (!is_gguf(path)) missing += (missing.empty() ? "" : ", ") + path;
  }
  if (missing.empty()) return;
  throw Error(
      ErrorCode::model,
      format("the model is split into {} files, and these are missing or are no GGUF files: "
             "{}; download all parts into one folder",
             paths.size(), missing));
}

}  // namespace

// Reads four bytes and maps nothing, because it is asked about any file.
bool is_gguf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMagic.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file.good() && begin == kMagic;
}

struct GgufReader::State {
  std::vector<std::string> paths;
  std::vector<MappedFile> files = {};
  int version = 0;
  Metadata metadata = {};
  std::map<std::string, TensorView> tensors = {};

  // Assigns bytes to the tensors of a file. The data begins after the header, and each array begins
  // where the padding of the one before ends.
  void place(const std::string& path, std::vector<TensorClaim> claims,
             std::span<const std::uint8_t> data, std::uint64_t alignment) {
    std::uint64_t next = 0;
    for (TensorClaim& claim : claims) {
      const std::string& name = claim.view.name;
      if (claim.offset != next) {
        refuse_gguf(path, format("tensor '{}' is at {}, but the one before ends at {}", name,
                                 claim.offset, next));
      }
      if (claim.size > data.size() - std::min<std::uint64_t>(next, data.size())) {
        refuse_gguf(path, format("tensor '{}' needs bytes {} to {} of {}; is the file cut off?",
                                 name, next, next + claim.size, data.size()));
      }
      claim.view.bytes = data.subspan(next, claim.size);
      next = padded(next + claim.size, alignment);
      if (!tensors.emplace(name, std::move(claim.view)).second) {
        refuse_gguf(path, format("tensor '{}' exists twice", name));
      }
    }
    if (data.size() > next) {
      refuse_gguf(path, format("{} bytes at its end belong to no tensor", data.size() - next));
    }
  }

  // Opens one file: adds its tensors and returns its metadata.
  Metadata open(const std::string& path) {
    const std::span<const std::uint8_t> file = files.emplace_back(map_gguf(path)).bytes();
    GgufCursor cursor(file, path);
    version = read_version(&cursor);
    const std::uint64_t count = read_count(&cursor, "tensors", kMaxTensors);
    const std::uint64_t keys = read_count(&cursor, "keys", kMaxKeys);
    Metadata read = read_metadata(keys, &cursor);
    const std::uint64_t alignment = read_alignment(read, path);
    std::vector<TensorClaim> claims;
    // Reserves no more than the rest of the file can describe, whatever the header says.
    claims.reserve(std::min<std::uint64_t>(count, cursor.left() / kLeastClaimBytes));
    for (std::uint64_t i = 0; i < count; ++i) claims.push_back(read_claim(i, &cursor));
    const std::uint64_t begin =
        std::min<std::uint64_t>(padded(cursor.at(), alignment), file.size());
    place(path, std::move(claims), file.subspan(begin), alignment);
    return read;
  }
};

GgufReader::GgufReader(const std::string& path) : state_(new State{gguf_parts(path)}) {
  const std::vector<std::string>& paths = state_->paths;
  const bool in_parts = paths.size() > 1;
  if (in_parts) check_all_there(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Metadata metadata = state_->open(paths[i]);
    if (in_parts) check_part(metadata, paths, i);
    if (i == 0) state_->metadata = std::move(metadata);
  }
  if (!in_parts) return;
  const std::uint64_t tensors = split_fact(state_->metadata, "split.tensors.count", paths.front());
  if (tensors != state_->tensors.size()) {
    refuse_gguf(paths.front(), format("split.tensors.count is {}, but the parts hold {} tensors",
                                      tensors, state_->tensors.size()));
  }
}

GgufReader::~GgufReader() = default;
GgufReader::GgufReader(GgufReader&&) noexcept = default;

const std::string& GgufReader::path() const { return state_->paths.front(); }

const std::vector<std::string>& GgufReader::paths() const { return state_->paths; }

int GgufReader::version() const { return state_->version; }

const std::map<std::string, GgufValue, std::less<>>& GgufReader::metadata() const {
  return state_->metadata;
}

const std::map<std::string, TensorView>& GgufReader::tensors() const { return state_->tensors; }

}  // namespace fineprint::tensorfile
