// Pages as people name them on the command line.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/records.h"

namespace fineprint::cli {

// The document and the page, from 1, of "DOC#PAGE"; nullopt where `name` has no such end.
std::optional<PageRef> parse_page_name(const std::string& name);

}  // namespace fineprint::cli
