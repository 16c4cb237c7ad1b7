// Answers from found pages with one reading call.
#include "pipelines/reading/found_pages.h"

#include "fineprint/agents/answer.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines {

Answer read_found_pages(session::Context& context, const Question& question,
                        const PipelineOptions& options) {
  const auto pages = retrieve::search_ranked(context, question.text, options.search);
  const std::vector<PageId> shown = retrieve::page_numbers(pages.found);
  Answer answer = agents::read_pages(context, question, shown, options.answer);
  answer.retrieved = retrieve::retrieved_pages(context, pages.ranking, shown);
  return answer;
}

}  // namespace fineprint::pipelines
