// Retrieval and one reading call: the whole of several methods, which differ by encoder and preset.
#pragma once

#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {

// Ranks the pool by the preset's scorers, shows the pages found in the order of their rank, answers
// by one call; see agents::read_pages.
Answer read_found_pages(session::Context& context, const Question& question,
                        const PipelineOptions& options);

}  // namespace fineprint::pipelines
