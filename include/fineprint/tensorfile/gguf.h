// Reads the GGUF format: metadata, tokenizer and arrays of a model in one file, memory-mapped and
// checked before use. Source: the format's specification in the ggml project, versions 2 and 3.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

// A value of the metadata. Numbers of all widths become the widest type of their kind. For example,
// a uint8 becomes std::uint64_t. Lists of booleans become lists of 0 and 1. Texts are bytes of the
// file, which should be UTF-8 but are not checked.
using GgufValue = std::variant<bool, std::uint64_t, std::int64_t, double, std::string_view,
                               std::vector<std::uint64_t>, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string_view>>;

// Returns true if the file begins like a GGUF file; false also if it cannot be read.
bool is_gguf(const std::string& path);

// Opens and checks a little-endian file of version 2 or 3. Checks counts, lengths of texts and
// lists, types of values and arrays, and alignment. Arrays must be inside the file and follow each
// other with nothing but padding between them, and rows must consist of complete blocks. Throws
// Error(model) naming the file, the key or tensor, and the reason. Shapes are [out, in], the
// reverse of the file's order.
class GgufReader {
 public:
  explicit GgufReader(const std::string& path);
  ~GgufReader();
  GgufReader(GgufReader&&) noexcept;

  // Returns the path that the reader was opened with.
  const std::string& path() const;
  // Returns the version of the format, 2 or 3.
  int version() const;
  // Returns all metadata by key, for example "general.architecture". Valid while the reader lives.
  const std::map<std::string, GgufValue, std::less<>>& metadata() const;
  // Returns all arrays by name. Valid while the reader lives.
  const std::map<std::string, TensorView>& tensors() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::tensorfile
