// VDocRAG: one vector per page finds the pages, one call answers briefly from their images.
// Source: VDocRAG (arXiv 2504.09795), section 3; its code for the length of answers.
#include "pipelines/reading/found_pages.h"

namespace fineprint::pipelines {

Pipeline vdocrag_pipeline() {
  return {.info = {.name = "vdocrag",
                   .needs = "a single-vector page encoder (Phi-3-vision, DSE)",
                   .calls_per_question = "1"},
          .run = read_found_pages,
          .agents = agents::page_answer_agents(),
          .reads = agents::page_answer_option_names()};
}

}  // namespace fineprint::pipelines
