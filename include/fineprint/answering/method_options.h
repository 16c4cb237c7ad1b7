// From settings to what searches and pipelines take.
#pragma once

#include <string>

#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/settings/settings.h"

namespace fineprint::answering {

retrieve::SearchOptions search_options(const settings::Settings& settings);
// `method` is the pipeline whose own options are told.
pipelines::PipelineOptions pipeline_options(const settings::Settings& settings,
                                            const std::string& method);

}  // namespace fineprint::answering
