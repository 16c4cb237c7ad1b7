// Reads what a scorer's item holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

#include "metrics/python/value.h"

namespace fineprint::metrics {

// All throw Error(input) naming the field when it is missing or of another type.

// A text; a number, list or the like as Python's str() writes it.
std::string text_of(const Json& item, const char* field);
// A text as it is, anything else as Python has it.
python::Value value_of(const Json& item, const char* field);
// A list of texts.
std::vector<std::string> texts_of(const Json& item, const char* field);
// A list of whole numbers.
std::vector<std::int64_t> numbers_of(const Json& item, const char* field);

// For slices: empty where the field is missing or null. Lists may be Python literals in a text:
// "[3, 5]", "['Chart']". Throws Error(input) for what is no list.
std::vector<std::string> listed(const Json& item, const char* field);
// The text of a field that may be missing.
std::string optional_text(const Json& item, const char* field);

// Throws Error(input): the field cannot be used because of `why`.
[[noreturn]] void refuse_field(const char* field, const std::string& why);

}  // namespace fineprint::metrics
