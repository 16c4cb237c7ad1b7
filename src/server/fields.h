// The fields of a request in JSON, checked as they are taken.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::server {

// Throws Refusal(400) naming the field for what is missing, of another type or out of bounds.
class Fields {
 public:
  // Throws Refusal(400) for a text that is no JSON object. `what`: what it is, for messages.
  Fields(std::string_view text, std::string_view what);
  explicit Fields(Json object) : object_(std::move(object)) {}

  std::string text(const char* name);  // must be there
  std::string text_or(const char* name, std::string otherwise);
  bool flag(const char* name, bool otherwise);
  std::optional<std::int64_t> whole(const char* name, std::int64_t least, std::int64_t most);
  std::optional<double> number(const char* name, double least, double most);
  // A list of texts, or one text; none when it is not there.
  std::vector<std::string> texts(const char* name);
  // nullptr when it is not there or null.
  const Json* value(const char* name);

  // Throws Refusal(400) for a field that nobody asked for: a misspelt one must not be lost.
  void end() const;

 private:
  Json object_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace fineprint::server
