// Settings of the call that reads the evidence and answers, shared by the pipelines that end so.
#pragma once

#include <vector>

#include "fineprint/agents/answering.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {

// answer-format, answer-tokens.
std::vector<Setting> answer_settings();
// The same and image-tier, for readers of pages.
std::vector<Setting> reader_settings();
agents::ReaderOptions reader_options(const PipelineOptions& options);

}  // namespace fineprint::pipelines
