// Lets the Seeker choose pages for other pipelines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/session/context.h"

namespace fineprint::pipelines::vidorag {

// Returns the pages that the Seeker chooses among the first agents::kMostInMosaic of `found`, in
// their order. It sees them with the default settings, as thumbnails in a mosaic. One page is
// returned without a call. Leaves a call with one page in the budget. Fallback: the first two
// pages; if the budget refuses the call, all.
std::vector<PageId> sought_pages(session::Context& context, const std::string& question,
                                 const std::string& prompts, std::vector<PageId> found);

}  // namespace fineprint::pipelines::vidorag
