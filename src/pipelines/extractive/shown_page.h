// Answers questions about where a picture is from.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines::extractive {

// Returns the page that shows the question's picture as the answer, if the question asks only for
// that ("Which page shows this?", "Where is this from?"). Returns nullopt if it asks for something
// else, or if no page was found to show a picture.
std::optional<Answer> shown_page(const session::Context& context, const std::string& question);

}  // namespace fineprint::pipelines::extractive
