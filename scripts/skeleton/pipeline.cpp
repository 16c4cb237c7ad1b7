// TEMPLATE: TODO one line that says what it does.
// Source: TODO paper and section.
#include "fineprint/pipelines/pipeline.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "fineprint/agents/reading.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines {
namespace {

// Returns a claim for each page that the reply names, without a quote.
std::vector<agents::Claim> TEMPLATE_claims(const agents::Verdict& verdict,
                                           const std::vector<std::uint32_t>& pages) {
  std::vector<agents::Claim> claims;
  for (const std::size_t index : verdict.indices) {
    claims.push_back({.page = pages[index], .quote = {}, .score = verdict.confidence});
  }
  return claims;
}

Answer answer_TEMPLATE(session::Context& context, const Question& question,
                       const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  std::vector<std::uint32_t> pages = retrieve::page_numbers(found);
  if (pages.empty()) return agents::empty_retrieval(context);
  const agents::Agent agent = agents::load_agent("TEMPLATE.answer", options.reader.prompts);
  const agents::TurnReply reply =
      agents::ask_about_pages(context, agent, {.question = question.text}, &pages, "pages");
  const agents::Verdict verdict = agents::verdict_of(reply, "pages");
  std::vector<Citation> citations =
      agents::cite(context.session.corpus(), pages, TEMPLATE_claims(verdict, pages));
  Answer answer = agents::answer_of(verdict, std::move(citations), options.reader.min_confidence);
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
