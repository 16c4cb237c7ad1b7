// Converts settings into the options of searches and pipelines.
#pragma once

#include <string>

#include "fineprint/agents/agent.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

// Throws Error(usage) if no generator is given; the message says that `who` needs it ("--scorer
// molorag").
void require_generator(const settings::Settings& settings, const std::string& who);

// Returns the options of a search, with the pipelines that can be scorers. Their calls leave the
// reserve in the budget. Throws Error(usage) if a scorer does not exist, if such a pipeline is
// chosen and no generator is given, or if adaptive K has nothing to choose from, because `k` is not
// above `min_k`.
retrieve::SearchOptions search_options(const settings::Settings& settings,
                                       const agents::Reserve& reserve = {});
// Returns the options of the pipeline `method`, including its own ones. Throws Error(usage) if the
// pipeline is named as a scorer of its own search.
pipelines::PipelineOptions pipeline_options(const settings::Settings& settings,
                                            const std::string& method);

}  // namespace fineprint::answering
