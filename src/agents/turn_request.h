// Turns what an agent is asked into a request to a generator.
#pragma once

#include <string>

#include "fineprint/agents/agent.h"
#include "fineprint/core/ids.h"
#include "fineprint/image/mosaic.h"

namespace fineprint::agents {

// Returns the request: system part, images with their labels, earlier exchanges, user part. The
// pictures of the question follow the pages; a generator that takes only texts gets what is written
// in them. The pictures' records say which. If the question is stopped, images may be missing,
// because nothing will be asked.
models::Request turn_request(session::Context& context, const Agent& agent, const Turn& turn);

// Returns one picture of all pages, numbered from `first`. If the question is stopped meanwhile,
// the result has no image.
Shown mosaic_of(const session::Context& context, session::Tier tier, std::span<const PageId> pages,
                const image::Grid& grid, std::size_t first);

// Returns the pages for the log: " report.pdf:3 report.pdf:4 at page"; empty without pages.
std::string shown_text(const models::Request& request, const Agent& agent);

// Returns one token per 28 x 28 pixels, as in the Qwen2-VL family; other models need fewer for
// large images.
long estimated_image_tokens(const models::Request& request);
// Returns the most tokens that a page of a tier can cost by that estimate.
long most_image_tokens(session::Tier tier);

}  // namespace fineprint::agents
