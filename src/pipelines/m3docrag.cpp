// M3DocRAG: late interaction finds the pages, one call answers from their images.
// Source: M3DocRAG (arXiv 2411.04952), section 3; its code's rule of retrieval is a setting of the
// search.
#include "fineprint/agents/answering.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/reading/settings.h"

namespace fineprint::pipelines {
namespace {

Answer answer_m3docrag(session::Context& context, const Question& question,
                       const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  Answer answer =
      agents::read_pages(context, question, retrieve::page_numbers(found), reader_options(options));
  answer.retrieved = retrieve::retrieved_pages(context, found);
  return answer;
}

}  // namespace

Pipeline m3docrag_pipeline() {
  return {{"m3docrag", "pages by late interaction, one call over their images",
           "a multi-vector page encoder (ColPali, ColQwen2)", "1"},
          answer_m3docrag,
          reader_settings()};
}

}  // namespace fineprint::pipelines
