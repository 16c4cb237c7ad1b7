// Parses names of pages, as people give them on the command line and in files of examples.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/records.h"

namespace fineprint {

// Returns the document and the page (from 1) of "DOC#PAGE", or nullopt if `name` does not end like
// that. For example, "reports/2023.pdf#3".
std::optional<PageRef> parse_page_name(const std::string& name);

}  // namespace fineprint
