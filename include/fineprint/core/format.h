// Text formatting in the manner of std::format ("{}", "{:.2f}", "{:>8}"), without naming the
// library that does it: LibTorch ships another version of that library's headers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace fineprint {

// One argument of `format`, reduced to the few kinds that the formatter knows.
using FormatArg = std::variant<std::int64_t, std::uint64_t, double, bool, std::string_view>;

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

// The type-erased formatter. A pattern that does not fit its arguments throws Error(internal).
std::string vformat(std::string_view pattern, std::initializer_list<FormatArg> args);

template <class... Args>
std::string format(std::string_view pattern, const Args&... args) {
  return vformat(pattern, {format_arg(args)...});
}

}  // namespace fineprint
