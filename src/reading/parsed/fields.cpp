// Reads fields of JSON from other programs.
#include "reading/parsed/fields.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "fineprint/core/error.h"

namespace fineprint::reading {

Json parse_fields(const std::string& json, const std::string& name) {
  try {
    return parse_json(json, name);
  } catch (const Error& error) {
    const bool too_large = json.size() > JsonLimits().max_bytes;
    throw Error(too_large ? ErrorCode::too_large : ErrorCode::damaged, error.what());
  }
}

const Json& no_json() {
  static const Json none;
  return none;
}

const Json& member(const Json& object, const char* key) {
  if (!object.is_object()) return no_json();
  const auto found = object.find(key);
  return found == object.end() ? no_json() : *found;
}

const Json& items_of(const Json& object, const char* key) {
  static const Json none = Json::array();
  const Json& found = member(object, key);
  return found.is_array() || found.is_object() ? found : none;
}

std::string text_at(const Json& object, const char* key) {
  const Json& found = member(object, key);
  return found.is_string() ? found.get<std::string>() : "";
}

int whole(const Json& object, const char* key) {
  const Json& found = member(object, key);
  if (!found.is_number_integer()) return 0;
  const auto value = found.get<std::int64_t>();
  const bool fits =
      value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
  return fits ? static_cast<int>(value) : 0;
}

float number(const Json& object, const char* key, float otherwise) {
  const Json& found = member(object, key);
  if (!found.is_number()) return otherwise;
  const auto value = found.get<float>();
  return std::isfinite(value) ? value : otherwise;
}

}  // namespace fineprint::reading
