// Names of pages as addresses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fineprint/core/records.h"

namespace fineprint::server {

// Every byte but letters, digits and "-._~" as %XX. Source: RFC 3986, section 2.
std::string percent_encoded(std::string_view text);
// The inverse; nullopt where a '%' has no two hex digits behind it.
std::optional<std::string> percent_decoded(std::string_view text);

// Where the page for people shows a citation: "/#doc=a.pdf&page=2&mark=...".
std::string page_link(const Citation& citation);

// "fineprint://page/DOC/2", and back; nullopt for another form.
std::string page_uri(const PageRef& page);
std::optional<PageRef> parse_page_uri(std::string_view uri);

}  // namespace fineprint::server
