// VisualRAG: the best page images of a collection, one call.
// Source: the baseline of ViDoRAG (arXiv 2502.18017), section 4.1.
#include "pipelines/reading/found_pages.h"
#include "pipelines/reading/settings.h"

namespace fineprint::pipelines {

Pipeline visualrag_pipeline() {
  return {{"visualrag", "a page encoder (ColQwen2, ColPali, or one vector a page)", "1"},
          read_found_pages,
          reader_settings()};
}

}  // namespace fineprint::pipelines
