// Arithmetic on integers of 128 bits, doubles, texts and lists.
#include "metrics/python/operators.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace fineprint::metrics::python {
namespace {

constexpr std::size_t kMostRepeated = 1 << 14;  // bytes and items together

std::string_view type_name(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none:
      return "NoneType";
    case Value::Kind::boolean:
      return "bool";
    case Value::Kind::integer:
      return "int";
    case Value::Kind::real:
      return "float";
    case Value::Kind::text:
      return "str";
    case Value::Kind::list:
      return "list";
    case Value::Kind::tuple:
      return "tuple";
    case Value::Kind::dict:
      return "dict";
    case Value::Kind::set:
      return "set";
  }
  return "";
}

// Throws TypeError with the names of both types.
[[noreturn]] void refuse_types(std::string_view mark, const Value& a, const Value& b) {
  std::string why = "unsupported operand types for ";
  why.append(mark).append(": ").append(type_name(a)).append(" and ").append(type_name(b));
  throw Exception("TypeError", why);
}

[[noreturn]] void too_large() {
  throw Exception("OverflowError", "cannot compute with an integer of over 38 digits");
}

Value integer_value(Integer integer) {
  if (has_too_many_digits(integer)) too_large();
  Value value;
  value.kind = Value::Kind::integer;
  value.integer = integer;
  return value;
}

Value real_value(double real) {
  Value value;
  value.kind = Value::Kind::real;
  value.real = real;
  return value;
}

bool is_integral(const Value& value) {
  return value.kind == Value::Kind::integer || value.kind == Value::Kind::boolean;
}

Integer integer_of(const Value& value) {
  if (value.is_huge()) too_large();
  return value.integer;
}

[[noreturn]] void division_by_zero() { throw Exception("ZeroDivisionError", "division by zero"); }

// Rounds down, as Python's // does; C++ rounds towards 0.
Integer floor_quotient(Integer a, Integer b) {
  if (b == 0) division_by_zero();
  // The only division that can overflow.
  if (b == -1) {
    Integer negated = 0;
    if (__builtin_sub_overflow(Integer{0}, a, &negated)) too_large();
    return negated;
  }
  const Integer quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Integer shifted_left(Integer a, Integer by) {
  if (by < 0) throw Exception("ValueError", "negative shift count");
  Integer out = a;
  // Stops at the first overflow, so a huge shift count costs nothing.
  for (Integer i = 0; i < by && out != 0; ++i) {
    if (!multiply(out, 2, &out)) too_large();
  }
  return out;
}

Integer shifted_right(Integer a, Integer by) {
  if (by < 0) throw Exception("ValueError", "negative shift count");
  // A shift by the width of the type is undefined behaviour.
  return by > 126 ? (a < 0 ? -1 : 0) : a >> static_cast<int>(by);
}

// Applies an operator to two integers, as Python does; true division gives a float.
Value integers(std::string_view mark, Integer a, Integer b) {
  Integer out = 0;
  bool over = false;
  if (mark == "+") over = __builtin_add_overflow(a, b, &out);
  if (mark == "-") over = __builtin_sub_overflow(a, b, &out);
  if (mark == "*") over = !multiply(a, b, &out);
  if (over) too_large();
  if (mark == "/") {
    if (b == 0) division_by_zero();
    return real_value(static_cast<double>(a) / static_cast<double>(b));
  }
  if (mark == "//") out = floor_quotient(a, b);
  // -1 is separate because the quotient could overflow.
  if (mark == "%") out = b == -1 ? 0 : a - floor_quotient(a, b) * b;
  if (mark == "&") out = a & b;
  if (mark == "|") out = a | b;
  if (mark == "^") out = a ^ b;
  if (mark == "<<") out = shifted_left(a, b);
  if (mark == ">>") out = shifted_right(a, b);
  return integer_value(out);
}

// The remainder has the sign of the divisor, as in Python; fmod's has the sign of the dividend.
double real_remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double real_floor_quotient(double a, double b) {
  const double rest = real_remainder(a, b);
  const double quotient = (a - rest) / b;
  return quotient == 0 ? std::copysign(0.0, a / b) : std::round(quotient);
}

// Unlike IEEE 754, Python throws for a division by zero.
Value reals(std::string_view mark, double a, double b) {
  if (mark == "+") return real_value(a + b);
  if (mark == "-") return real_value(a - b);
  if (mark == "*") return real_value(a * b);
  if (b == 0) division_by_zero();
  if (mark == "/") return real_value(a / b);
  return real_value(mark == "%" ? real_remainder(a, b) : real_floor_quotient(a, b));
}

// The operators that floats have; bit operators are for integers only.
bool is_arithmetic(std::string_view mark) {
  return mark == "+" || mark == "-" || mark == "*" || mark == "/" || mark == "//" || mark == "%";
}

bool is_sequence(const Value& value) {
  return value.kind == Value::Kind::text || value.is_list() || value.kind == Value::Kind::tuple;
}

void check_size(std::size_t size) {
  if (size > kMostRepeated)
    throw Exception("MemoryError", "the joined or repeated value is too long");
}

// Counts nested items too, because repeating copies them.
std::size_t weight(const Value& value) {
  std::size_t sum = 1 + value.text.size();
  for (const Value& item : value.items) sum += weight(item);
  return sum;
}

// a + b for two texts, lists or tuples.
Value joined_sequences(const Value& a, const Value& b) {
  check_size(weight(a) + weight(b));
  Value out = a;
  out.text += b.text;
  out.items.insert(out.items.end(), b.items.begin(), b.items.end());
  return out;
}

// sequence * times; empty if `times` is not positive.
Value repeated(const Value& sequence, Integer times) {
  Value out = sequence;
  out.text.clear();
  out.items.clear();
  if (times <= 0) return out;
  // Checked first, so that the product below cannot overflow.
  if (times > static_cast<Integer>(kMostRepeated)) check_size(kMostRepeated + 1);
  check_size(weight(sequence) * static_cast<std::size_t>(times));
  for (Integer i = 0; i < times; ++i) {
    out.text += sequence.text;
    out.items.insert(out.items.end(), sequence.items.begin(), sequence.items.end());
  }
  return out;
}

// Returns -1, 0 or 1; 2 if the values have no order (NaN).
int order(std::string_view mark, const Value& a, const Value& b) {
  if (is_integral(a) && is_integral(b)) {
    const Integer left = integer_of(a), right = integer_of(b);
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (is_number(a) && is_number(b)) {
    const double left = to_real(a), right = to_real(b);
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : 2;
  }
  if (a.kind != b.kind || !is_sequence(a)) refuse_types(mark, a, b);
  // The byte order of UTF-8 is the order of code points.
  if (a.kind == Value::Kind::text) return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  for (std::size_t i = 0; i < std::min(a.items.size(), b.items.size()); ++i) {
    if (!equal(a.items[i], b.items[i])) return order(mark, a.items[i], b.items[i]);
  }
  return a.items.size() < b.items.size() ? -1 : a.items.size() > b.items.size() ? 1 : 0;
}

// part in whole: a substring, an item, or a key.
bool contains(const Value& whole, const Value& part) {
  if (whole.kind == Value::Kind::text) {
    if (part.kind != Value::Kind::text) refuse_types("in", part, whole);
    return whole.text.find(part.text) != std::string::npos;
  }
  if (!is_sequence(whole) && whole.kind != Value::Kind::dict && whole.kind != Value::Kind::set) {
    refuse_types("in", part, whole);
  }
  const std::size_t step = whole.kind == Value::Kind::dict ? 2 : 1;
  for (std::size_t i = 0; i < whole.items.size(); i += step) {
    if (equal(whole.items[i], part)) return true;
  }
  return false;
}

Value integer_power(Integer base, Integer exponent) {
  if (exponent < 0) {
    if (base == 0) throw Exception("ZeroDivisionError", "0 to a negative power");
    return real_value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  Integer out = 1;
  // If the base is -1, 0 or 1, only the parity of the exponent matters, and the loop stays short.
  const bool constant = base >= -1 && base <= 1;
  for (Integer i = constant ? (exponent == 0 ? 0 : 2 - exponent % 2) : exponent; i > 0; --i) {
    if (!multiply(out, base, &out)) too_large();
  }
  return integer_value(out);
}

}  // namespace

Value boolean_value(bool value) {
  Value out;
  out.kind = Value::Kind::boolean;
  out.integer = value ? 1 : 0;
  return out;
}

Value binary(std::string_view mark, const Value& a, const Value& b) {
  if (is_integral(a) && is_integral(b)) return integers(mark, integer_of(a), integer_of(b));
  if (is_number(a) && is_number(b) && is_arithmetic(mark)) {
    return reals(mark, to_real(a), to_real(b));
  }
  if (mark == "+" && is_sequence(a) && a.kind == b.kind) return joined_sequences(a, b);
  if (mark == "*" && is_sequence(a) && is_integral(b)) return repeated(a, integer_of(b));
  if (mark == "*" && is_integral(a) && is_sequence(b)) return repeated(b, integer_of(a));
  refuse_types(mark, a, b);
}

Value power(const Value& a, const Value& b) {
  if (is_integral(a) && is_integral(b)) return integer_power(integer_of(a), integer_of(b));
  if (!is_number(a) || !is_number(b)) refuse_types("**", a, b);
  const double base = to_real(a), exponent = to_real(b);
  if (base == 0 && exponent < 0) throw Exception("ZeroDivisionError", "0 to a negative power");
  if (base < 0 && std::isfinite(exponent) && exponent != std::floor(exponent)) {
    throw Exception("OverflowError", "cannot compute with complex numbers");
  }
  const double out = std::pow(base, exponent);
  if (std::isinf(out) && std::isfinite(base) && std::isfinite(exponent)) {
    throw Exception("OverflowError", "the result is too large");
  }
  return real_value(out);
}

Value unary(std::string_view mark, const Value& value) {
  if (mark == "~" && is_integral(value)) return integer_value(~integer_of(value));
  if (mark == "~" || !is_number(value)) {
    throw Exception("TypeError", "bad operand type for unary " + std::string(mark) + ": " +
                                     std::string(type_name(value)));
  }
  // Too many digits to compute with, but a sign can be changed in the text.
  if (value.is_huge()) {
    Value out = value;
    if (mark == "-")
      out.text = value.text.starts_with('-') ? value.text.substr(1) : "-" + value.text;
    return out;
  }
  const bool negative = mark == "-";
  if (is_integral(value))
    return negative ? integers("-", 0, value.integer) : integer_value(value.integer);
  return real_value(negative ? -value.real : value.real);
}

bool compare(std::string_view mark, const Value& a, const Value& b) {
  if (mark == "==") return equal(a, b);
  if (mark == "!=") return !equal(a, b);
  // Plain values are taken to be the same object if they are equal and have the same type.
  if (mark == "is") return a.kind == b.kind && equal(a, b);
  if (mark == "is not") return a.kind != b.kind || !equal(a, b);
  if (mark == "in") return contains(b, a);
  if (mark == "not in") return !contains(b, a);
  const int sign = order(mark, a, b);
  if (sign == 2) return false;
  if (mark == "<") return sign < 0;
  if (mark == "<=") return sign <= 0;
  return mark == ">" ? sign > 0 : sign >= 0;
}

}  // namespace fineprint::metrics::python
