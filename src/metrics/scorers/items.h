// Reads the fields of a scorer's item.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

#include "metrics/python/value.h"

namespace fineprint::metrics {

// All functions throw Error(input) with the field's name if it is missing or has another type.

// A text. Numbers, lists and other values are converted as Python's str() does.
std::string text_of(const Json& item, const char* field);
// A text unchanged; other values as Python's json.loads() reads them.
python::Value value_of(const Json& item, const char* field);
// A list of texts.
std::vector<std::string> texts_of(const Json& item, const char* field);
// A list of whole numbers.
std::vector<std::int64_t> numbers_of(const Json& item, const char* field);

// A list for slices; empty if the field is missing or null. A text may contain the list as a Python
// literal: "[3, 5]", "['Chart']". Throws Error(input) if it is not a list.
std::vector<std::string> listed(const Json& item, const char* field);
// A text; empty if the field is missing.
std::string optional_text(const Json& item, const char* field);

// Throws Error(input): "field 'FIELD' WHY".
[[noreturn]] void refuse_field(const char* field, const std::string& why);

}  // namespace fineprint::metrics
