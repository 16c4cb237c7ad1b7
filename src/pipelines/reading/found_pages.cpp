// Answers from found pages with one reading call.
#include "pipelines/reading/found_pages.h"

#include "fineprint/agents/answer.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines {

Answer read_found_pages(session::Context& context, const Question& question,
                        const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  Answer answer =
      agents::read_pages(context, question, retrieve::page_numbers(found), options.answer);
  answer.retrieved = retrieve::retrieved_pages(context, found);
  return answer;
}

}  // namespace fineprint::pipelines
