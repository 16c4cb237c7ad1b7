// Reads numbers: first into plain ASCII digits, then with the standard library.
#include "metrics/python/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "fineprint/core/letter_case.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

#include "metrics/python/text.h"

namespace fineprint::metrics::python {
namespace {

// Returns the text stripped, in lower case, and with the digits of all scripts as ASCII digits.
std::string plain_form(std::string_view text) {
  std::string out;
  const std::string_view stripped = strip(text);
  for (std::size_t at = 0; at < stripped.size();) {
    const char32_t c = next_code_point(stripped, &at);
    const int digit = digit_value(c);
    append_utf8(digit >= 0 ? U'0' + static_cast<char32_t>(digit) : c, &out);
  }
  return lower_ascii(out);
}

// Moves the digits at the start of `text` to `out`, without underscores between two digits. Returns
// false if there is an underscore elsewhere.
bool take_digits(std::string_view* text, std::string* out) {
  std::size_t at = 0;
  while (at < text->size()) {
    const char c = (*text)[at];
    if (c == '_') {
      const bool between = at > 0 && at + 1 < text->size() && (*text)[at - 1] != '_' &&
                           digit_value((*text)[at + 1]) >= 0;
      if (!between) return false;
    } else if (digit_value(static_cast<unsigned char>(c)) >= 0) {
      *out += c;
    } else {
      break;
    }
    ++at;
  }
  text->remove_prefix(at);
  return true;
}

// Removes a sign. Returns "-" for minus, else an empty text: from_chars does not read a plus.
std::string take_sign(std::string_view* text) {
  if (text->empty() || (text->front() != '-' && text->front() != '+')) return "";
  const std::string sign = text->front() == '-' ? "-" : "";
  text->remove_prefix(1);
  return sign;
}

// Returns the text in the form that from_chars reads, for example "-12.5e-3"; empty if Python reads
// no number.
std::string float_digits(std::string_view rest) {
  std::string out = take_sign(&rest);
  const std::size_t begin = out.size();
  if (!take_digits(&rest, &out)) return "";
  bool has_digits = out.size() > begin;
  if (rest.starts_with('.')) {
    out += '.';
    rest.remove_prefix(1);
    const std::size_t fraction = out.size();
    if (!take_digits(&rest, &out)) return "";
    has_digits = has_digits || out.size() > fraction;
  }
  if (!has_digits) return "";
  if (rest.starts_with('e')) {
    rest.remove_prefix(1);
    out += 'e' + take_sign(&rest);
    const std::size_t exponent = out.size();
    if (!take_digits(&rest, &out) || out.size() == exponent) return "";
  }
  return rest.empty() ? out : "";
}

// strtod decides between infinity and zero, because from_chars reports both as out of range.
double out_of_range(const std::string& digits) {
  const bool negative = digits.starts_with('-');
  const double value = std::strtod(digits.c_str(), nullptr);
  return std::isinf(value) || std::isnan(value)
             ? (negative ? -1 : 1) * std::numeric_limits<double>::infinity()
             : value;
}

}  // namespace

std::optional<double> parse_float(std::string_view text) {
  const std::string plain = plain_form(text);
  std::string_view word = plain;
  const double sign = take_sign(&word) == "-" ? -1 : 1;
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf" || word == "infinity") return sign * std::numeric_limits<double>::infinity();
  const std::string digits = float_digits(plain);
  if (digits.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc::result_out_of_range ? out_of_range(digits) : value;
}

std::optional<std::string> parse_int(std::string_view text) {
  const std::string plain = plain_form(text);
  std::string_view rest = plain;
  const std::string sign = take_sign(&rest);
  std::string digits;
  if (!take_digits(&rest, &digits) || digits.empty() || !rest.empty()) return std::nullopt;
  // Leading zeros are dropped, so that equal numbers have equal digits.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits == "0" ? digits : sign + digits;
}

std::optional<std::string> truncated(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  char text[400];
  // Written without an exponent, because int() gives all digits of large doubles.
  const auto end =
      std::to_chars(text, text + sizeof text, std::trunc(value), std::chars_format::fixed, 0).ptr;
  return parse_int({text, end});
}

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[400];
  const double size = std::abs(value);
  // Python switches to exponents outside this range.
  const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto end = std::to_chars(text, text + sizeof text, value,
                                 fixed ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string out(text, end);
  if (fixed && out.find('.') == std::string::npos) out += ".0";
  return out;
}

double round_to(double value, int digits) {
  if (!std::isfinite(value)) return value;
  // The exact decimal value is rounded, not the scaled double: round(2.675, 2) is 2.67.
  char text[800];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr;
  double rounded = value;
  std::from_chars(text, end, rounded);
  return rounded;
}

// nearbyint rounds ties to even, as numpy does.
double scaled_round(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  return std::nearbyint(value * scale) / scale;
}

}  // namespace fineprint::metrics::python
