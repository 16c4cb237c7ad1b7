// VisualRAG: the best page images of a collection, one call.
// Source: the baseline of ViDoRAG (arXiv 2502.18017), section 4.1.
#include "fineprint/agents/answering.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/reading/settings.h"

namespace fineprint::pipelines {
namespace {

Answer answer_visualrag(session::Context& context, const Question& question,
                        const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  Answer answer =
      agents::read_pages(context, question, retrieve::page_numbers(found), reader_options(options));
  answer.retrieved = retrieve::retrieved_pages(context, found);
  return answer;
}

}  // namespace

Pipeline visualrag_pipeline() {
  return {{"visualrag", "the best page images, one call over them; a baseline",
           "a page encoder (ColQwen2, ColPali, or one vector a page)", "1"},
          answer_visualrag,
          reader_settings()};
}

}  // namespace fineprint::pipelines
