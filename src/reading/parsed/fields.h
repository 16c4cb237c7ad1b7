// Fields of JSON that strangers wrote: what is missing or of another kind is nothing.
#pragma once

#include <string>

#include "fineprint/core/json.h"

namespace fineprint::reading {

// Throws Error(damaged) naming the file for what is no JSON, Error(too_large).
Json parse_fields(const std::string& json, const std::string& name);

// Null.
const Json& no_json();
// Null where there is none.
const Json& member(const Json& object, const char* key);
// A list or an object; empty where there is none.
const Json& items_of(const Json& object, const char* key);
std::string text_at(const Json& object, const char* key);
// 0 where there is none, or one that is no whole number of 32 bits.
int whole(const Json& object, const char* key);
float number(const Json& object, const char* key, float otherwise);

}  // namespace fineprint::reading
