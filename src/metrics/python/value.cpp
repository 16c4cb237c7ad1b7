// Writes and compares values.
#include "metrics/python/value.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "metrics/python/numbers.h"

namespace fineprint::metrics::python {
namespace {

// As repr() writes them: two digits up to U+00FF, four above.
std::string hex_escape(char32_t c) {
  return c < 0x100 ? format("\\x{:02x}", static_cast<std::uint32_t>(c))
                   : format("\\u{:04x}", static_cast<std::uint32_t>(c));
}

std::string escaped(char32_t c, char quote) {
  switch (c) {
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  std::string out;
  if (c == static_cast<char32_t>(quote)) out = "\\";
  // Python escapes control characters, and blanks other than the plain one.
  if (c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || (c > 0x20 && is_space(c))) {
    return hex_escape(c);
  }
  append_utf8(c, &out);
  return out;
}

std::string quoted(const std::string& text) {
  // Python prefers single quotes, unless only they occur in the text.
  const bool has_single = text.find('\'') != std::string::npos;
  const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size();) out += escaped(next_code_point(text, &at), quote);
  return out + quote;
}

std::string item_texts(const std::vector<Value>& items) {
  std::string out;
  for (const Value& item : items) out += (out.empty() ? "" : ", ") + repr(item);
  return out;
}

std::string dict_text(const std::vector<Value>& items) {
  std::string out;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    out += (out.empty() ? "" : ", ") + repr(items[i]) + ": " + repr(items[i + 1]);
  }
  return "{" + out + "}";
}

// The order of keys does not count. Quadratic, but the number of tokens is limited.
bool equal_dicts(const Value& a, const Value& b) {
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i + 1 < a.items.size(); i += 2) {
    bool found = false;
    for (std::size_t j = 0; !found && j + 1 < b.items.size(); j += 2) {
      found = equal(a.items[i], b.items[j]) && equal(a.items[i + 1], b.items[j + 1]);
    }
    if (!found) return false;
  }
  return true;
}

// Equal sizes, and every item of one is in the other.
bool equal_sets(const Value& a, const Value& b) {
  return a.items.size() == b.items.size() && std::ranges::all_of(a.items, [&](const Value& item) {
           return std::ranges::any_of(b.items, [&](const Value& o) { return equal(item, o); });
         });
}

bool equal_numbers(const Value& a, const Value& b) {
  // True == 1 and 1 == 1.0 in Python.
  if (a.kind == Value::Kind::real || b.kind == Value::Kind::real) return to_real(a) == to_real(b);
  return a.text == b.text && a.integer == b.integer;
}

}  // namespace

// Integer has 128 bits, which hold all numbers of 38 digits; longer ones are kept as text.
bool has_too_many_digits(Integer value) {
  constexpr std::int64_t kHalf = 1'000'000'000'000'000'000;  // 10^18
  // 10^38 does not fit into any literal, so it is a product.
  const Integer most = Integer{kHalf} * kHalf * 100;  // 10^38
  return value <= -most || value >= most;
}

bool multiply(Integer a, Integer b, Integer* product) {
  __extension__ using Size = unsigned __int128;
  const auto size_of = [](Integer value) {
    return value < 0 ? Size{0} - static_cast<Size>(value) : static_cast<Size>(value);
  };
  const bool negative = (a < 0) != (b < 0);
  const Size x = size_of(a), y = size_of(b);
  const Size most = (~Size{0} >> 1) + (negative ? 1 : 0);
  if (x != 0 && y > most / x) return false;
  *product = static_cast<Integer>(negative ? Size{0} - x * y : x * y);
  return true;
}

Value text_value(std::string_view text) {
  Value value;
  value.kind = Value::Kind::text;
  value.text = text;
  return value;
}

Value value_of_json(const Json& json) {
  Value value;
  switch (json.type()) {
    case Json::value_t::boolean:
      value.kind = Value::Kind::boolean;
      value.integer = json.get<bool>() ? 1 : 0;
      break;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      value.kind = Value::Kind::integer;
      value.integer = json.is_number_unsigned() ? static_cast<Integer>(json.get<std::uint64_t>())
                                                // Both fit, because Integer has 128 bits.
                                                : static_cast<Integer>(json.get<std::int64_t>());
      break;
    case Json::value_t::number_float:
      value.kind = Value::Kind::real;
      value.real = json.get<double>();
      break;
    case Json::value_t::string:
      return text_value(json.get_ref<const std::string&>());
    case Json::value_t::array:
      value.kind = Value::Kind::list;
      for (const Json& item : json) value.items.push_back(value_of_json(item));
      break;
    case Json::value_t::object:
      value.kind = Value::Kind::dict;
      for (const auto& [key, item] : json.items()) {
        value.items.push_back(text_value(key));
        value.items.push_back(value_of_json(item));
      }
      break;
    default:
      break;
  }
  return value;
}

std::string integer_text(Integer value) {
  if (value == 0) return "0";
  std::string out;
  for (Integer rest = value; rest != 0; rest /= 10) {
    const int digit = static_cast<int>(rest % 10);
    // Digit by digit from the negative side, because the smallest integer has no positive
    // counterpart.
    out += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (value < 0) out += '-';
  std::ranges::reverse(out);
  return out;
}

std::string str(const Value& value) {
  return value.kind == Value::Kind::text ? value.text : repr(value);
}

std::string repr(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none:
      return "None";
    case Value::Kind::boolean:
      return value.integer != 0 ? "True" : "False";
    case Value::Kind::integer:
      return value.is_huge() ? value.text : integer_text(value.integer);
    case Value::Kind::real:
      return float_repr(value.real);
    case Value::Kind::text:
      return quoted(value.text);
    case Value::Kind::list:
      return "[" + item_texts(value.items) + "]";
    case Value::Kind::tuple:
      // A tuple of one item ends in a comma, as in Python.
      return "(" + item_texts(value.items) + (value.items.size() == 1 ? ",)" : ")");
    case Value::Kind::dict:
      return dict_text(value.items);
    case Value::Kind::set:
      // "{}" would be an empty dict.
      return value.items.empty() ? "set()" : "{" + item_texts(value.items) + "}";
  }
  return "";
}

bool is_true(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none:
      return false;
    case Value::Kind::boolean:
      return value.integer != 0;
    case Value::Kind::integer:
      return value.integer != 0 || value.is_huge();
    case Value::Kind::real:
      return value.real != 0;
    case Value::Kind::text:
      return !value.text.empty();
    default:
      return !value.items.empty();
  }
}

bool is_number(const Value& value) {
  return value.kind == Value::Kind::boolean || value.kind == Value::Kind::integer ||
         value.kind == Value::Kind::real;
}

double to_real(const Value& value) {
  if (value.kind == Value::Kind::real) return value.real;
  // Python converts integers of any length exactly before it rounds.
  if (value.is_huge()) return parse_float(value.text).value_or(0);
  return static_cast<double>(value.integer);
}

bool equal(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return equal_numbers(a, b);
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Value::Kind::none:
      return true;
    case Value::Kind::text:
      return a.text == b.text;
    case Value::Kind::dict:
      return equal_dicts(a, b);
    case Value::Kind::set:
      return equal_sets(a, b);
    default:
      return std::ranges::equal(a.items, b.items, equal);
  }
}

}  // namespace fineprint::metrics::python
