// Upper and lower case, and the digits of all scripts.
#pragma once

#include <string>
#include <string_view>

namespace fineprint {

// Returns the text in lower or upper case by Unicode's full mapping for no particular language. One
// letter may become several: for example, upper_case("ß") is "SS". Invalid bytes become U+FFFD.
std::string lower_case(std::string_view utf8);
std::string upper_case(std::string_view utf8);

// Returns the value 0 to 9 if `c` is a decimal digit of any script, else -1.
int digit_value(char32_t c);

}  // namespace fineprint
