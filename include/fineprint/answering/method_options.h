// From settings to what searches and pipelines take.
#pragma once

#include <string>

#include "fineprint/agents/agent.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

// Throws Error(usage), naming `who` ("--scorer molorag") needs it, when no generator is given.
void require_generator(const settings::Settings& settings, const std::string& who);

// With the pipelines that are scorers; their calls leave the reserve in the budget. Throws
// Error(usage) when one is chosen and no generator is given.
retrieve::SearchOptions search_options(const settings::Settings& settings,
                                       const agents::Reserve& reserve = {});
// `method` is the pipeline whose own options are told.
pipelines::PipelineOptions pipeline_options(const settings::Settings& settings,
                                            const std::string& method);

}  // namespace fineprint::answering
