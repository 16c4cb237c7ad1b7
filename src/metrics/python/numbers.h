// Numbers as Python reads, writes and rounds them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::metrics::python {

// float(text): blanks around it, a sign, digits with single underscores between them, a point, an
// exponent, "nan", "inf", "infinity" in any case. Too large a number is infinite. nullopt where
// Python raises ValueError.
std::optional<double> parse_float(std::string_view text);

// int(text) as its digits, of any length: "-7"; no point, no exponent.
std::optional<std::string> parse_int(std::string_view text);

// int(value) as its digits; nullopt for what is infinite or no number.
std::optional<std::string> truncated(double value);

// repr(value): the shortest digits that read as the same double: "1.0", "1e+16", "0.0001", "nan".
std::string float_repr(double value);

// round(value, digits): of the double's exact decimal value, ties to even.
double round_to(double value, int digits);

// numpy's round(value, digits): scales, rounds and scales back, which differs in the last place.
double scaled_round(double value, int digits);

}  // namespace fineprint::metrics::python
