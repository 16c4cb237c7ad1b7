// Reads single facts out of a GGUF file's metadata, distrusting each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/tensorfile/gguf.h"

namespace fineprint::models {

// Every error is an Error(model) that names the file and the key. The reader must outlive it.
class GgufFacts {
 public:
  explicit GgufFacts(const tensorfile::GgufReader& reader) : reader_(reader) {}

  bool has(const std::string& key) const { return find(key) != nullptr; }
  // All throw when the key is there and its value of another kind; `text`, `integer` and `number`
  // when it is absent.
  std::string text(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  // Of a number of 32 bits, the shortest decimal one that it is nearest to: 1e-05, not
  // 9.999999747e-06.
  double number(const std::string& key) const;
  bool flag_or(const std::string& key, bool absent) const;
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<std::int64_t> integers(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;

  const tensorfile::GgufReader& reader() const { return reader_; }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

 private:
  const tensorfile::GgufValue* find(const std::string& key) const;
  const tensorfile::GgufValue& present(const std::string& key) const;

  const tensorfile::GgufReader& reader_;
};

}  // namespace fineprint::models
