// Checked access to the parts of a tokenizer.json. Every error says which part it is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::tokenizer {

// Returns a text for use in messages: in quotes, on one line, shortened if it is long.
std::string in_quotes(std::string_view text);

// A value of the file and its path, for example "model.merges[3]". Refers to the document, which
// must outlive it.
class Part {
 public:
  Part(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const Json& value() const { return *value_; }
  const std::string& path() const { return path_; }
  bool is_null() const { return value_->is_null(); }
  bool is_object() const { return value_->is_object(); }

  // Read the value. They throw Error(model) if it does not have the type that the function's name
  // says. A missing or null field counts as the default `otherwise`, if there is one.
  Part field(const char* name) const;  // a null value if missing
  std::vector<Part> list() const;
  std::string text() const;
  std::string text(const char* name) const { return field(name).text(); }
  std::string text(const char* name, const char* otherwise) const;
  bool flag(const char* name, bool otherwise) const;
  std::size_t count(const char* name, std::optional<std::size_t> otherwise = {}) const;
  // A token id: 0 to 2^31 - 1.
  std::int32_t id() const;
  // Returns the field "type"; empty if it is missing.
  std::string type() const { return text("type", ""); }

  // Throws Error(model): "PATH REASON".
  [[noreturn]] void refuse(const std::string& reason) const;
  // Throws Error(model) for a component of an unsupported type.
  [[noreturn]] void refuse_type() const;

 private:
  const Json* value_;
  std::string path_;
};

}  // namespace fineprint::tokenizer
