// Finds pages by document maps for searches and for other pipelines: the scorer "map".
#pragma once

#include <string>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::dmap {

// [1-2] Returns the pages that Locate names in the maps of the question's documents, then the pages
// of the elements that it names: the first page of each document, then the second of each, and so
// on. The score of a page is 1 / its position. Throws Error(store) if one of these documents has no
// complete map.
std::vector<retrieve::RankedPage> rank_located(session::Context& context,
                                               const std::string& question,
                                               const PipelineOptions& options,
                                               const agents::Reserve& reserve);

// Throws Error(store) that names the `index` command if no document of the store has a map. A
// single map is enough here, because only the documents of a question need one.
void require_map(const session::Corpus& corpus);

// Throws the errors that rank_located() would throw for every question.
void check_finding(const session::Session& session, const PipelineOptions& options);

}  // namespace fineprint::pipelines::dmap
