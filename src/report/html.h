// Text of strangers inside a page of HTML: nothing of it may be read as markup or run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fineprint/core/json.h"

namespace fineprint::report {

// For the text of an element or a quoted attribute.
std::string escape_html(std::string_view text);

// The value as JSON in UTF-8 (U+FFFD for what is none), compressed (RFC 1950), in base64: small,
// and of no character that HTML knows. The page's script unpacks it (page/start.js).
std::string packed_json(const Json& value);

// 'sha256-...' of a content security policy; `hex` is the SHA-256 in 64 hexadecimal digits.
std::string policy_hash(std::string_view hex);

// `page` with each {{name}} replaced, in one pass: what is put in is not looked at. Throws
// Error(internal) for a name that is not among `values`.
using Replacement = std::pair<std::string_view, std::string_view>;
std::string fill_in(std::string_view page, std::span<const Replacement> values);

}  // namespace fineprint::report
