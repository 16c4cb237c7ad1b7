// Reading fields of a record, with errors that name the field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/geometry.h"
#include "fineprint/core/json.h"
#include "fineprint/core/records.h"

namespace fineprint::record {

// One line as an object. Throws Error(input) when it is something else.
Json parse_object(std::string_view json_line);

// Throws Error(input): "field 'NAME' WHY".
[[noreturn]] void throw_field(std::string_view name, std::string_view why);

// The field, or nullptr when it is absent or null.
const Json* find(const Json& object, const char* name);
// The field; throws when it is absent or null.
const Json& need(const Json& object, const char* name);

// `name` is used in the message only.
std::string to_string(const Json& value, std::string_view name);
double to_number(const Json& value, std::string_view name);
std::int64_t to_count(const Json& value, std::string_view name);
bool to_bool(const Json& value, std::string_view name);
const Json& to_array(const Json& value, std::string_view name);
// A page number, from 1.
int to_page(const Json& value, std::string_view name);
// {"doc","page"}
PageRef to_page_ref(const Json& value, std::string_view name);
// [[x0,y0,x1,y1], ...]
std::vector<Box> to_boxes(const Json& value, std::string_view name);

Json from_boxes(const std::vector<Box>& boxes);

}  // namespace fineprint::record
