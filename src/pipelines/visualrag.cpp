// VisualRAG: the best page images of a collection, one call.
// Source: the baseline of ViDoRAG (arXiv 2502.18017), section 4.1.
#include "pipelines/reading/found_pages.h"

namespace fineprint::pipelines {

Pipeline visualrag_pipeline() {
  return {.info = {.name = "visualrag",
                   .needs = "a page encoder (ColQwen2, ColPali, or one vector per page)",
                   .calls_per_question = "1"},
          .run = read_found_pages,
          .agents = agents::page_answer_agents(),
          .reads = agents::page_answer_option_names()};
}

}  // namespace fineprint::pipelines
