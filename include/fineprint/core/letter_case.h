// Upper and lower case, and digits of all scripts.
#pragma once

#include <string>
#include <string_view>

namespace fineprint {

// The whole mapping of Unicode in no particular language, of which a letter may become several; an
// invalid byte becomes U+FFFD.
std::string lower_case(std::string_view utf8);
std::string upper_case(std::string_view utf8);

// 0 to 9 of a decimal digit of any script, else -1.
int digit_value(char32_t c);

}  // namespace fineprint
