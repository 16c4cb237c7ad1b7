// Reads fields of JSON from other programs. A field that is missing or of another type reads as
// nothing.
#pragma once

#include <string>

#include "fineprint/core/json.h"

namespace fineprint::reading {

// Parses JSON. Throws Error(damaged) with `name` in the message if it is not valid, and
// Error(too_large) if it is too long.
Json parse_fields(const std::string& json, const std::string& name);

// Returns null.
const Json& no_json();
// Returns the field, or null if there is none.
const Json& member(const Json& object, const char* key);
// Returns the field if it is a list or an object, and an empty list if not.
const Json& items_of(const Json& object, const char* key);
// Returns the field if it is a string, and "" if not.
std::string text_at(const Json& object, const char* key);
// Returns the field if it is an integer of 32 bits, and 0 if not.
int whole(const Json& object, const char* key);
// Returns the field if it is a finite number, and `otherwise` if not.
float number(const Json& object, const char* key, float otherwise);

}  // namespace fineprint::reading
