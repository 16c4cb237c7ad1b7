// Retrieval and one reading call: complete for several pipelines, which differ by encoder and
// preset.
#pragma once

#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {

// Ranks the pool by the preset's scorers, shows the found pages in rank order, and answers by one
// call; see agents::read_pages.
Answer read_found_pages(session::Context& context, const Question& question,
                        const PipelineOptions& options);

}  // namespace fineprint::pipelines
