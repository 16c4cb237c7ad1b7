// VDocRAG: one vector a page finds the pages, one call answers briefly from their images.
// Source: VDocRAG (arXiv 2504.09795), section 3; its code for the length of answers.
#include "pipelines/reading/found_pages.h"
#include "pipelines/reading/settings.h"

namespace fineprint::pipelines {

Pipeline vdocrag_pipeline() {
  return {{"vdocrag", "a single-vector page encoder (Phi-3-vision, DSE)", "1"},
          read_found_pages,
          reader_settings()};
}

}  // namespace fineprint::pipelines
