// Reads and writes the safetensors format: named arrays in one file, memory-mapped and checked
// before use.
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

// Element types of arrays.
enum class Dtype { f64, f32, f16, bf16, f8_e4m3, i64, i32, i16, i8, u8, boolean };

// Returns the bytes of one element.
std::size_t dtype_bytes(Dtype dtype);
// Returns the type's name in safetensors files, for example "F32".
std::string_view dtype_name(Dtype dtype);

struct CodedMatrix;  // coded.h

// Where a matrix is stored as columns of another one: its row i is column `first` + i of a matrix
// with this many columns.
struct TurnedMatrix {
  std::span<const std::uint8_t> bytes;  // of the other matrix
  std::int64_t columns = 0, first = 0;
};

// One array in a mapped file. Valid while its SafetensorsReader lives. If the values are in blocks,
// `dtype` is the type that they are decoded to, and the blocks follow each other along the last
// dimension.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::uint8_t> bytes;
  // The type of the blocks, or nullopt for plain values.
  std::optional<BlockType> blocks = {};
  // Set for a matrix of codes with scales in separate arrays. `bytes` are the codes then.
  std::shared_ptr<const CodedMatrix> coded = {};
  // Set for such a matrix of plain values. `bytes` are then as many as it has, some of them of
  // other columns.
  std::optional<TurnedMatrix> turned = {};
  // Returns the number of values, decoded or not.
  std::int64_t element_count() const;
};

// Opens and checks a file: header size, JSON, dtypes, shapes (no overflow), and offsets, which must
// be inside the file, match the shapes, and neither overlap nor leave holes. Throws Error(model)
// naming file, tensor and reason. A SafetensorsReader is immutable, so several threads may use it.
class SafetensorsReader {
 public:
  explicit SafetensorsReader(const std::string& path);
  ~SafetensorsReader();
  SafetensorsReader(SafetensorsReader&&) noexcept;

  // Returns all arrays by name.
  const std::map<std::string, TensorView>& tensors() const;
  // Returns the texts of the header's __metadata__.
  const std::map<std::string, std::string>& metadata() const;
  // Returns an array. Throws Error(model) naming file and tensor if it is missing.
  const TensorView& at(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Advises the operating system that the memory of an array is not needed for now. Reading it later
// is still correct, but slow. Keeps memory pages that the array shares with its neighbours.
void release(const TensorView& view);

// An array to be written.
struct TensorToWrite {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::uint8_t> bytes;
  // Further pieces that follow `bytes`, if the array is not in one piece.
  std::vector<std::span<const std::uint8_t>> more = {};
};

// Writes a file under a temporary name, syncs it and renames it, so that a crash never leaves half
// a file. The data starts at a multiple of 64 bytes. Throws Error(internal) if two tensors have the
// same name or a size does not match its shape, and Error(unreadable) if the file cannot be
// written.
void write(const std::string& path, const std::vector<TensorToWrite>& tensors,
           const std::map<std::string, std::string>& metadata = {});

}  // namespace fineprint::tensorfile
