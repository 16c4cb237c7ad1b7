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

// Returns the paths of all files of the model to which a file belongs by its name, in order:
// "m-00002-of-00003.gguf" is the second of three. Any other name gives only the path itself. Opens
// nothing; the files need not exist.
std::vector<std::string> gguf_parts(const std::string& path);
// Returns the model's name: the file's name without extension and without the number of the part.
std::string gguf_name(const std::string& path);
// Returns true if the file stands for its model in a list of files: it is whole, or the first of
// the parts that exist.
bool is_first_gguf(const std::string& path);

// Opens and checks a little-endian file of version 2 or 3. Checks counts, lengths of texts and
// lists, types of values and arrays, and alignment. Arrays must be inside the file and follow each
// other with nothing but padding between them, and rows must consist of complete blocks. Throws
// Error(model) naming the file, the key or tensor, and the reason. Shapes are [out, in], the
// reverse of the file's order.
//
// If the path names one part of a model, opens all parts; the metadata is that of the first one.
// Throws Error(model) if a part is missing, or if what the parts say about their number or order
// does not fit their names.
class GgufReader {
 public:
  explicit GgufReader(const std::string& path);
  ~GgufReader();
  GgufReader(GgufReader&&) noexcept;

  // Returns the path that the reader was opened with; of a model in parts, that of the first one.
  const std::string& path() const;
  // Returns the paths of all parts, in order; of a whole file only its own.
  const std::vector<std::string>& paths() const;
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
