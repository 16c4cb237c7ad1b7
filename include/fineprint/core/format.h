// Formats text in the manner of std::format ("{}", "{:.2f}", "{:>8}"). The header does not include
// the library that does the work, because LibTorch ships other versions of that library's headers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace fineprint {

// One argument of `format`, reduced to the few types that the formatter handles. Text arguments are
// not copied: they must outlive the call.
using FormatArg = std::variant<std::int64_t, std::uint64_t, double, bool, std::string_view>;

// Converts one argument: integers to 64 bits, floating-point numbers to double, anything else to
// text.
// Only these types are accepted, so that the formatter is compiled once and not for each
// combination.
template <class T>
FormatArg format_arg(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value;
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint64_t>(value);
  } else {
    return std::string_view(value);
  }
}

// The type-erased formatter. Throws Error(internal) if the pattern does not fit its arguments.
std::string vformat(std::string_view pattern, std::initializer_list<FormatArg> args);

// Returns the pattern with its placeholders filled in. For example, format("{}: {:.1f} s", "ocr",
// 2.04) returns "ocr: 2.0 s". Throws Error(internal) if the pattern does not fit its arguments.
template <class... Args>
std::string format(std::string_view pattern, const Args&... args) {
  return vformat(pattern, {format_arg(args)...});
}

}  // namespace fineprint
