// From what an agent is asked to what a generator is asked.
#pragma once

#include <string>

#include "fineprint/agents/agent.h"
#include "fineprint/image/mosaic.h"

namespace fineprint::agents {

// System part, images behind their labels, what was said before, user part. For a question that is
// stopped, for which nothing will be asked, images may be missing.
models::Request turn_request(const session::Context& context, const Agent& agent, const Turn& turn);

// One picture of all, whose numbers begin at `first`. When the question is stopped meanwhile, it
// has no image.
Shown mosaic_of(const session::Context& context, session::Tier tier,
                std::span<const std::uint32_t> pages, const image::Grid& grid, std::size_t first);

// For a person: " report.pdf:3 report.pdf:4 at page"; empty without pages.
std::string shown_text(const models::Request& request, const Agent& agent);

// One for 28 x 28 pixels, as the Qwen2-VL family has it; others take fewer for large images.
long estimated_image_tokens(const models::Request& request);
// The most that a page of a tier can cost by that estimate.
long most_image_tokens(session::Tier tier);

}  // namespace fineprint::agents
