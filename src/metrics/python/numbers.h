// Reads, writes and rounds numbers as Python does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::metrics::python {

// float(text). Accepts surrounding blanks, a sign, digits with single underscores between them, a
// point, an exponent, and "nan", "inf" and "infinity" in any case. A number that is too large
// becomes infinite. Returns nullopt if Python raises ValueError.
std::optional<double> parse_float(std::string_view text);

// int(text) as digits of any length, for example "-7". Returns nullopt for a point or an exponent.
std::optional<std::string> parse_int(std::string_view text);

// int(value) as digits. Returns nullopt for infinity and NaN.
std::optional<std::string> truncated(double value);

// repr(value): the shortest digits that read back as the same double: "1.0", "1e+16", "0.0001",
// "nan".
std::string float_repr(double value);

// round(value, digits): rounds the double's exact decimal value, ties to even.
double round_to(double value, int digits);

// numpy's round(value, digits). It scales, rounds and scales back, so the last digit may differ
// from `round_to`.
double scaled_round(double value, int digits);

}  // namespace fineprint::metrics::python
