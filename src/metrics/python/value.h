// A value of one of Python's plain types.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::metrics::python {

// Python's integers have any length; 128 bits cover every answer of the benchmarks.
__extension__ using Integer = __int128;

// Returns true if an integer has over 38 digits. Such integers take part in no computation.
bool has_too_many_digits(Integer value);
// Computes a * b. Returns false if it does not fit. Not __builtin_mul_overflow, for which clang
// calls a function on ARM (__muloti4) that libgcc does not have.
bool multiply(Integer a, Integer b, Integer* product);

// One value. `kind` says which member holds it.
struct Value {
  enum class Kind { none, boolean, integer, real, text, list, tuple, dict, set };
  Kind kind = Kind::none;
  Integer integer = 0;            // for integer and boolean
  double real = 0;                // for real
  std::string text = {};          // for text; for an integer of over 38 digits, its digits
  std::vector<Value> items = {};  // for list, tuple and set; for dict: key, value, key, value, ...

  bool is_list() const { return kind == Kind::list; }
  // Returns true for an integer that is only read, written and compared by its digits.
  bool is_huge() const { return kind == Kind::integer && !text.empty(); }
};

// Returns a str.
Value text_value(std::string_view text);
// Returns what json.loads() makes of the value.
Value value_of_json(const Json& json);

// Python's exceptions. what() is "NAME: why", for example "ValueError: the reference is not a
// number".
class Exception : public std::runtime_error {
 public:
  Exception(const std::string& name, const std::string& why)
      : std::runtime_error(name + ": " + why) {}
};

// Returns the decimal digits, with a sign if it is negative.
std::string integer_text(Integer value);
// str(value) and repr(value).
std::string str(const Value& value);
std::string repr(const Value& value);
// bool(value).
bool is_true(const Value& value);
// a == b. Numbers of different types are compared by value.
bool equal(const Value& a, const Value& b);
// Returns true for bool, int and float.
bool is_number(const Value& value);
// float(value) of a number. Integers are rounded to the nearest double.
double to_real(const Value& value);

}  // namespace fineprint::metrics::python
