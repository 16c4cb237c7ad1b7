// Reads the fields of a record. Errors name the field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/geometry.h"
#include "fineprint/core/json.h"
#include "fineprint/core/records.h"

namespace fineprint::record {

// Parses one line as an object. Throws Error(input) if it is something else.
Json parse_object(std::string_view json_line);

// Throws Error(input) with the message "field 'NAME' WHY".
[[noreturn]] void throw_field(std::string_view name, std::string_view why);

// Returns the field; nullptr if it is absent or null.
const Json* find(const Json& object, const char* name);
// Returns the field. Throws Error(input) if it is absent or null.
const Json& need(const Json& object, const char* name);

// Convert a value or throw Error(input). `name` is used only in the message.
std::string to_string(const Json& value, std::string_view name);
double to_number(const Json& value, std::string_view name);
std::int64_t to_count(const Json& value, std::string_view name);
bool to_bool(const Json& value, std::string_view name);
const Json& to_array(const Json& value, std::string_view name);
// Reads a page number, counted from 1.
int to_page(const Json& value, std::string_view name);
// Reads {"doc","page"}.
PageRef to_page_ref(const Json& value, std::string_view name);
// Reads [[x0,y0,x1,y1], ...], in points.
std::vector<Box> to_boxes(const Json& value, std::string_view name);

// The inverse of `to_boxes`.
Json from_boxes(const std::vector<Box>& boxes);

}  // namespace fineprint::record
