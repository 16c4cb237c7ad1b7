// What eval() makes of a text.
#pragma once

#include <string_view>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

// The value of a Python expression that names nothing: literals, lists, tuples, dicts, sets, the
// operators, comparisons, conditions, subscripts. Throws Exception by Python's name for it:
// SyntaxError, NameError, TypeError, ZeroDivisionError, IndexError, KeyError, OverflowError, ...
// Time and memory are bounded whatever the text: MemoryError or OverflowError where Python would
// compute on (integers of over 38 digits, texts joined or repeated to over 16 KB, complex numbers).
// A set keeps the order in which it is written.
Value evaluate(std::string_view source);

}  // namespace fineprint::metrics::python
