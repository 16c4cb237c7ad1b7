// TEMPLATE: TODO one line that says what it does.
// Source: TODO paper and section.
#include "fineprint/pipelines/pipeline.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "fineprint/agents/answer.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines {
namespace {

// Returns a claim for each page that the reply names, without a quote.
std::vector<agents::Claim> TEMPLATE_claims(const agents::StatedAnswer& stated,
                                           const std::vector<std::uint32_t>& pages) {
  std::vector<agents::Claim> claims;
  for (const std::size_t index : stated.indices) {
    claims.push_back({.page = pages[index], .quote = {}, .score = stated.confidence});
  }
  return claims;
}

Answer answer_TEMPLATE(session::Context& context, const Question& question,
                       const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  std::vector<std::uint32_t> pages = retrieve::page_numbers(found);
  if (pages.empty()) return agents::empty_retrieval(context);
  const agents::Agent agent = agents::load_agent("TEMPLATE.answer", options.answer.prompts);
  const agents::TurnReply reply =
      agents::ask_about_pages(context, agent, {.question = question.text}, &pages, "pages");
  const agents::StatedAnswer stated = agents::stated_answer(reply, "pages");
  std::vector<Citation> citations =
      agents::cite(context.session.corpus(), pages, TEMPLATE_claims(stated, pages));
  Answer answer = agents::answer_of(stated, std::move(citations), options.answer.min_confidence);
  answer.retrieved = retrieve::retrieved_pages(context, found);
  return answer;
}

}  // namespace

Pipeline TEMPLATE_pipeline() {
  return {
      .info = {.name = "TEMPLATE", .needs = "the scorers of its preset", .calls_per_question = "1"},
      .run = answer_TEMPLATE,
      .agents = {"TEMPLATE.answer"}};
}

}  // namespace fineprint::pipelines
