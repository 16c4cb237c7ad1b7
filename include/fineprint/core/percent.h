// Percent encoding of addresses. Source: RFC 3986, sections 2.1 and 2.3.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint {

// Returns the text with every byte encoded as %XX but letters, digits, '-', '.', '_', '~' and those
// in `kept`, such as the '/' of a path.
std::string percent_encoded(std::string_view text, std::string_view kept = {});
// Returns the text with each %XX decoded, or nullopt if a '%' is not followed by two hexadecimal
// digits: a guess could name something else.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace fineprint
