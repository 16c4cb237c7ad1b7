// Reads single facts from a GGUF file's metadata and checks each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {

// Every error is an Error(model) that names the file and the key. Keeps a reference to the reader.
class GgufFacts {
 public:
  explicit GgufFacts(const tensorfile::GgufReader& reader) : reader_(reader) {}

  bool has(const std::string& key) const { return find(key) != nullptr; }
  // All of these throw if the key has a value of another type; `text`, `integer` and `number` also
  // throw if it is absent.
  std::string text(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  // A 32-bit number is returned as the shortest decimal that rounds to it, for example 1e-05
  // instead of 9.999999747e-06.
  double number(const std::string& key) const;
  bool flag_or(const std::string& key, bool absent) const;
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<std::int64_t> integers(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;

  // Returns nullptr if there is no tensor of this name.
  const tensorfile::TensorView* find_tensor(const std::string& name) const;

  const tensorfile::GgufReader& reader() const { return reader_; }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

 private:
  const tensorfile::GgufValue* find(const std::string& key) const;
  const tensorfile::GgufValue& present(const std::string& key) const;

  const tensorfile::GgufReader& reader_;
};

}  // namespace fineprint::models
