// Names of pages on the command line.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/records.h"

namespace fineprint::cli {

// Returns the document and the page (from 1) of "DOC#PAGE", or nullopt if `name` does not end like
// that.
std::optional<PageRef> parse_page_name(const std::string& name);

}  // namespace fineprint::cli
