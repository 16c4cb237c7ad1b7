// Checks a model's reply against the pages, by what the extractive pipeline knows.
#pragma once

#include <optional>

#include "fineprint/core/records.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines::extractive {

// Returns the answer that another pipeline's model gave, checked: with the sentence or row that
// proves it as the first citation, and with the probability that it is right. Returns the
// extractive pipeline's own answer if that is more probably right, and abstains if it is more
// probable that the documents hold no answer. `options` are those of the extractive pipeline. Asks
// no generator. Returns nullopt if there is nothing to compare with: no page that was found has
// words, or the reply cites only pages without words.
// Traces the step "check".
std::optional<Answer> checked_reply(session::Context& context, const Question& question,
                                    const Answer& reply, const PipelineOptions& options);

}  // namespace fineprint::pipelines::extractive
