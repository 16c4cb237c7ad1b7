// VDocRAG: one vector a page finds the pages, one call answers briefly from their images.
// Source: VDocRAG (arXiv 2504.09795), section 3; its code for the length of answers.
#include "fineprint/agents/answering.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"

#include "pipelines/reading/settings.h"

namespace fineprint::pipelines {
namespace {

Answer answer_vdocrag(session::Context& context, const Question& question,
                      const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  Answer answer =
      agents::read_pages(context, question, retrieve::page_numbers(found), reader_options(options));
  answer.retrieved = retrieve::retrieved_pages(context, found);
  return answer;
}

}  // namespace

Pipeline vdocrag_pipeline() {
  return {{"vdocrag", "pages by one vector each, one short answer from their images",
           "a single-vector page encoder (Phi-3-vision, DSE)", "1"},
          answer_vdocrag,
          reader_settings()};
}

}  // namespace fineprint::pipelines
