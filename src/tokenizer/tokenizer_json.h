// Checked access to the parts of a tokenizer.json: every complaint says which part it is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::tokenizer {

// A text as it may stand in a message: in quotes, on one line, cut when long.
std::string in_quotes(std::string_view text);

// A value of the file and the way to it, such as "model.merges[3]". Refers to the document.
class Part {
 public:
  Part(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const Json& value() const { return *value_; }
  const std::string& path() const { return path_; }
  bool is_null() const { return value_->is_null(); }
  bool is_object() const { return value_->is_object(); }

  // All throw Error(model) when the value is not of the type that the name says. A missing or null
  // field counts as the default, where there is one.
  Part field(const char* name) const;  // null when missing
  std::vector<Part> list() const;
  std::string text() const;
  std::string text(const char* name) const { return field(name).text(); }
  std::string text(const char* name, const char* otherwise) const;
  bool flag(const char* name, bool otherwise) const;
  std::size_t count(const char* name, std::optional<std::size_t> otherwise = {}) const;
  // A token id: 0 to 2^31 - 1.
  std::int32_t id() const;
  // The field "type"; empty when missing.
  std::string type() const { return text("type", ""); }

  [[noreturn]] void refuse(const std::string& reason) const;
  // For a component of a type that is not known here.
  [[noreturn]] void refuse_type() const;

 private:
  const Json* value_;
  std::string path_;
};

}  // namespace fineprint::tokenizer
