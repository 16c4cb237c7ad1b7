// M3DocRAG: late interaction finds the pages, one call answers from their images.
// Source: M3DocRAG (arXiv 2411.04952), section 3. The retrieval rule of its code is an option of
// the search (--late-tokens).
#include "pipelines/reading/found_pages.h"

namespace fineprint::pipelines {

Pipeline m3docrag_pipeline() {
  return {.info = {.name = "m3docrag",
                   .needs = "a multi-vector page encoder (ColPali, ColQwen2)",
                   .calls_per_question = "1"},
          .run = read_found_pages,
          .agents = agents::page_answer_agents(),
          .reads = agents::page_answer_option_names()};
}

}  // namespace fineprint::pipelines
