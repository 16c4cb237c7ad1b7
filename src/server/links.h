// Addresses of pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fineprint/core/records.h"

namespace fineprint::server {

// Returns the address at which the web page shows a citation: "/#doc=a.pdf&page=2&mark=...".
std::string page_link(const Citation& citation);

// Returns "fineprint://page/DOC/2". parse_page_uri() returns the page, or nullopt for another form.
std::string page_uri(const PageRef& page);
std::optional<PageRef> parse_page_uri(std::string_view uri);

}  // namespace fineprint::server
