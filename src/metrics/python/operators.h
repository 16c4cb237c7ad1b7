// Python's operators on values.
#pragma once

#include <string_view>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

// Applies an operator: + - * / // % & | ^ << >>. Throws Exception as Python does.
Value binary(std::string_view mark, const Value& a, const Value& b);
// a ** b.
Value power(const Value& a, const Value& b);
// Applies - + or ~.
Value unary(std::string_view mark, const Value& value);
// Compares with == != < <= > >= in "not in" is "is not".
bool compare(std::string_view mark, const Value& a, const Value& b);

// Returns True or False.
Value boolean_value(bool value);

}  // namespace fineprint::metrics::python
