// A value of Python's plain types.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::metrics::python {

__extension__ using Integer = __int128;

// Whether an integer has over 38 digits: none such is computed with.
bool has_too_many_digits(Integer value);

struct Value {
  enum class Kind { none, boolean, integer, real, text, list, tuple, dict, set };
  Kind kind = Kind::none;
  Integer integer = 0;            // of integer and boolean
  double real = 0;                // of real
  std::string text = {};          // of text; of an integer of over 38 digits, its digits
  std::vector<Value> items = {};  // of list, tuple, set; of dict: key, value, key, value, ...

  bool is_list() const { return kind == Kind::list; }
  // Beyond what can be computed with: read, compared by its digits and written only.
  bool is_huge() const { return kind == Kind::integer && !text.empty(); }
};

Value text_value(std::string_view text);
// What json.loads() makes of it.
Value value_of_json(const Json& json);

// Where Python raises an exception. what() is "NAME: why".
class Exception : public std::runtime_error {
 public:
  Exception(const std::string& name, const std::string& why)
      : std::runtime_error(name + ": " + why) {}
};

std::string integer_text(Integer value);
// str(value) and repr(value).
std::string str(const Value& value);
std::string repr(const Value& value);
// bool(value)
bool is_true(const Value& value);
// a == b, numbers of different types by their values.
bool equal(const Value& a, const Value& b);
bool is_number(const Value& value);
// float(value) of a number; its integer is rounded to the nearest double.
double to_real(const Value& value);

}  // namespace fineprint::metrics::python
