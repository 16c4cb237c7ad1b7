// The safetensors format: named arrays in one file, memory-mapped and checked before use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/tensorfile/blocks.h"

namespace fineprint::tensorfile {

enum class Dtype { f64, f32, f16, bf16, f8_e4m3, i64, i32, i16, i8, u8, boolean };

std::size_t dtype_bytes(Dtype dtype);
std::string_view dtype_name(Dtype dtype);  // "F32", ...

struct CodedMatrix;  // coded.h

// One array inside a mapped file; valid while the Reader lives. Where its values lie in blocks,
// `dtype` is what they are widened to, and blocks follow one another along the last dimension.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::uint8_t> bytes;
  std::optional<BlockType> blocks = {};
  // Of a matrix whose values are codes with scales in arrays of their own; `bytes` are the codes.
  std::shared_ptr<const CodedMatrix> coded = {};
  std::int64_t element_count() const;
};

// Opens and checks a file: header size, JSON, dtypes, shapes (no overflow), offsets inside the
// file, in order of the shapes' sizes, neither overlapping nor leaving holes. Throws Error(model)
// naming file, tensor and reason.
class Reader {
 public:
  explicit Reader(const std::string& path);
  ~Reader();
  Reader(Reader&&) noexcept;

  const std::map<std::string, TensorView>& tensors() const;
  const std::map<std::string, std::string>& metadata() const;
  // Throws Error(model) naming file and tensor when it is missing.
  const TensorView& at(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Tells the system that the memory of a Reader's array is not needed for now; reading it again is
// slow, not wrong. The pages that it shares with its neighbours stay.
void release(const TensorView& view);

struct TensorToWrite {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::uint8_t> bytes;
  // What follows `bytes`, of an array that does not lie in one piece.
  std::vector<std::span<const std::uint8_t>> more = {};
};

// Writes to a temporary name, syncs and renames. Data starts at a multiple of 64 bytes.
void write(const std::string& path, const std::vector<TensorToWrite>& tensors,
           const std::map<std::string, std::string>& metadata = {});

}  // namespace fineprint::tensorfile
