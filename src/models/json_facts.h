// Reads single facts out of a model folder's small JSON files, distrusting each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fineprint/core/json.h"

namespace fineprint::models {

// One JSON file. Every error is an Error(model) that names the file and the key.
class JsonFacts {
 public:
  explicit JsonFacts(const std::string& path);

  // An integer in [low, high].
  int integer(const std::string& key, int low, int high) const;
  int integer_or(const std::string& key, int low, int high, int absent) const;
  double number(const std::string& key, double low, double high) const;
  bool flag_or(const std::string& key, bool absent) const;
  // The text of a key, nullopt when it is absent or null.
  std::optional<std::string> text(const std::string& key) const;
  // Throws unless the text equals `expected`; an absent key passes when `may_be_absent`.
  void expect_text(const std::string& key, const std::string& expected, bool may_be_absent) const;

  const Json& json() const { return json_; }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

 private:
  const Json* find(const std::string& key) const;

  std::string path_;
  Json json_;
};

}  // namespace fineprint::models
