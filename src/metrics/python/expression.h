// Evaluates texts as Python's eval() does.
#pragma once

#include <string_view>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

// Returns the value of a Python expression without names: literals, lists, tuples, dicts, sets,
// operators, comparisons, conditions and subscripts. Throws Exception with Python's name of the
// error: SyntaxError, NameError, TypeError, ZeroDivisionError, IndexError, KeyError, OverflowError,
// ...
//
// Time and memory are bounded for every text. If Python would continue to compute, MemoryError or
// OverflowError is thrown: for integers of over 38 digits, texts joined or repeated to over 16 KB,
// and complex numbers. Sets keep the order in which they are written.
Value evaluate(std::string_view source);

}  // namespace fineprint::metrics::python
