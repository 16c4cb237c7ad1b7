// Python's operators on values.
#pragma once

#include <string_view>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

// `mark` is one of + - * / // % & | ^ << >>. Throws Exception as Python does.
Value binary(std::string_view mark, const Value& a, const Value& b);
Value power(const Value& a, const Value& b);
// `mark` is one of - + ~.
Value unary(std::string_view mark, const Value& value);
// `mark` is one of == != < <= > >= in "not in" is "is not".
bool compare(std::string_view mark, const Value& a, const Value& b);

Value boolean_value(bool value);

}  // namespace fineprint::metrics::python
