// The fields of a JSON request. Each is checked when it is read.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::server {

// The readers throw Refusal(400) with the field's name if it is missing, has another type or is out
// of range.
class Fields {
 public:
  // Throws Refusal(400) if `text` is not a JSON object. `what` names the text in messages.
  Fields(std::string_view text, std::string_view what);
  explicit Fields(Json object) : object_(std::move(object)) {}

  std::string text(const char* name);  // required
  std::string text_or(const char* name, std::string otherwise);
  bool flag(const char* name, bool otherwise);
  std::optional<std::int64_t> whole(const char* name, std::int64_t least, std::int64_t most);
  std::optional<double> number(const char* name, double least, double most);
  // Returns a list of strings; a single string counts as a list. Empty if the field is missing.
  std::vector<std::string> texts(const char* name);
  // Return nullptr if the field is missing or null.
  const Json* value(const char* name);
  const Json* list(const char* name);
  const Json* object(const char* name);

  // Throws Refusal(400) if there is a field that was not read, because a misspelt field must not be
  // ignored silently.
  void end() const;

 private:
  Json object_;
  std::set<std::string, std::less<>> known_;
};

// Returns the member of a nested object, or nullptr if it is missing or null.
const Json* member(const Json& object, const char* name);
// Returns a member that must be a string. `path` names the object in messages, with a separator at
// its end: "messages[2].". Throws Refusal(400) that names the member.
const std::string& text_member(const Json& object, const std::string& path, const char* name);

}  // namespace fineprint::server
