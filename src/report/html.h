// Puts text from documents and answers into an HTML page so that none of it can be read as markup
// or run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fineprint/core/json.h"

namespace fineprint::report {

// Escapes text for an element or a quoted attribute.
std::string escape_html(std::string_view text);

// Returns the value as JSON in UTF-8 (invalid bytes become U+FFFD), compressed (RFC 1950), in
// base64. This is small, and has no character with a meaning in HTML. The page's script unpacks it
// (page/start.js).
std::string packed_json(const Json& value);

// Returns 'sha256-...' for a content security policy. `hex` is the SHA-256 as 64 hexadecimal
// digits.
std::string policy_hash(std::string_view hex);

// Returns `page` with each {{name}} replaced. Inserted values are not searched again. Throws
// Error(internal) if a name is not among `values`.
using Replacement = std::pair<std::string_view, std::string_view>;
std::string fill_in(std::string_view page, std::span<const Replacement> values);

}  // namespace fineprint::report
