// The GGUF format: a model's facts, tokenizer and arrays in one file, memory-mapped and checked
// before use. Source: the format's specification in the ggml project, versions 2 and 3.
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

// Integers and numbers of all widths come as the widest of their kind; lists of truth values as
// lists of 0 and 1. Texts are the file's bytes, UTF-8 if its writer was right.
using GgufValue = std::variant<bool, std::uint64_t, std::int64_t, double, std::string_view,
                               std::vector<std::uint64_t>, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string_view>>;

// Whether the file begins as GGUF files do. False when it cannot be read.
bool is_gguf(const std::string& path);

// Opens and checks a file, little-endian, version 2 or 3: counts, lengths of texts and lists, types
// of values and arrays, alignment; arrays inside the file, one behind the other with nothing but
// padding between, rows of whole blocks. Throws Error(model) naming file, key or tensor, and
// reason. Shapes are [out, in], the file's order turned round.
class GgufReader {
 public:
  explicit GgufReader(const std::string& path);
  ~GgufReader();
  GgufReader(GgufReader&&) noexcept;

  const std::string& path() const;
  int version() const;
  // Valid while the reader lives.
  const std::map<std::string, GgufValue, std::less<>>& metadata() const;
  const std::map<std::string, TensorView>& tensors() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::tensorfile
