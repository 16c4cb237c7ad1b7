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

// The value as it may stand inside <script type="application/json">: without '<', '>', '&' and the
// line ends that only JavaScript knows, which stand as \uXXXX. Invalid UTF-8 becomes U+FFFD.
std::string json_for_html(const Json& value);

// 'sha256-...' of a content security policy; `hex` is the SHA-256 in 64 hexadecimal digits.
std::string policy_hash(std::string_view hex);

// `page` with each {{name}} replaced, in one pass: what is put in is not looked at. Throws
// Error(internal) for a name that is not among `values`.
using Replacement = std::pair<std::string_view, std::string_view>;
std::string fill_in(std::string_view page, std::span<const Replacement> values);

}  // namespace fineprint::report
