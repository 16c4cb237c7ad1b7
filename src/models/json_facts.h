// Reads single facts from a model folder's small JSON files and checks each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::models {

// One JSON file, or an object in it. Every error is an Error(model) that names the file and the
// key, for example "vision_config.depth".
class JsonFacts {
 public:
  explicit JsonFacts(const std::string& path);
  // Facts that are in no JSON file; errors name `path`.
  JsonFacts(const std::string& path, Json facts);

  bool has(const std::string& key) const;  // true if the key is there and not null
  // Return a value in [low, high]. The `_or` variants return `absent` if the key is absent; the
  // others throw.
  int integer(const std::string& key, int low, int high) const;
  int integer_or(const std::string& key, int low, int high, int absent) const;
  double number(const std::string& key, double low, double high) const;
  double number_or(const std::string& key, double low, double high, double absent) const;
  bool flag_or(const std::string& key, bool absent) const;
  // Throws unless the flag is `expected` or absent.
  void expect_flag(const std::string& key, bool expected) const;
  // Returns the text of a key, or nullopt if it is absent or null.
  std::optional<std::string> text(const std::string& key) const;
  // Throws unless the text equals `expected`; an absent key passes if `may_be_absent`.
  void expect_text(const std::string& key, const std::string& expected, bool may_be_absent) const;
  // Return lists of at most `most` items; empty if the key is absent. A single value counts as a
  // list of one.
  std::vector<std::int64_t> integers(const std::string& key, std::size_t most, int low,
                                     int high) const;
  std::vector<double> numbers(const std::string& key, std::size_t most, double low,
                              double high) const;
  std::vector<std::string> texts(const std::string& key, std::size_t most) const;
  // Returns the object of a key; throws if it is absent. Shares the file's memory.
  JsonFacts object(const std::string& key) const;
  // Returns the object of a key, or this one if it is absent, because configurations are flat or
  // nested.
  JsonFacts object_or_self(const std::string& key) const;

  // Returns the same facts with values for absent keys: the ones that a configuration's class uses.
  JsonFacts with_defaults(const Json& defaults) const;

  const Json& json() const { return *json_; }
  const std::string& path() const { return path_; }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

 private:
  const Json* find(const std::string& key) const;
  const Json& present(const std::string& key) const;
  // Returns the items of a list, or the single value.
  std::vector<const Json*> items(const std::string& key, std::size_t most) const;
  int checked_integer(const std::string& key, const Json& value, int low, int high) const;
  double checked_number(const std::string& key, const Json& value, double low, double high) const;

  std::string path_;
  std::string prefix_;  // prefix of keys in messages: "vision_config."
  std::shared_ptr<const Json> file_;
  const Json* json_ = nullptr;
};

}  // namespace fineprint::models
