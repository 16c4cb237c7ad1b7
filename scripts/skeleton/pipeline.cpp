// @NAME@: TODO what it does, in a line.
// Source: TODO paper and section.
#include "fineprint/pipelines/pipeline.h"

#include <string>
#include <vector>

#include "fineprint/agents/reading.h"
#include "fineprint/retrieve/search.h"

namespace fineprint::pipelines {
namespace {

// What the reply names proves the answer: each page as a whole.
std::vector<agents::Claim> claims_of(const agents::Verdict& verdict,
                                     const std::vector<std::uint32_t>& pages) {
  std::vector<agents::Claim> claims;
  for (const std::size_t index : verdict.indices) {
    claims.push_back({.page = pages[index], .quote = {}, .score = verdict.confidence});
  }
  return claims;
}

Answer answer_ @NAME
    @(session::Context& context, const Question& question, const PipelineOptions& options) {
  const auto found = retrieve::search(context, question.text, options.search);
  std::vector<std::uint32_t> pages = retrieve::page_numbers(found);
  if (pages.empty()) return agents::empty_retrieval(context);
  const agents::TurnReply reply =
      agents::ask_about_pages(context, agents::load_agent("@NAME@.answer", options.reader.prompts),
                              {.question = question.text}, &pages, "pages");
  const agents::Verdict verdict = agents::verdict_of(reply, "pages");
  Answer answer = agents::answer_of(
      verdict, agents::cite(context.session.corpus(), pages, claims_of(verdict, pages)),
      options.reader.min_confidence);
  answer.retrieved = retrieve::retrieved_pages(context, found);
  return answer;
}

}  // namespace

Pipeline @NAME @_pipeline() {
  return {
    .info = {.name = "@NAME@", .needs = "the scorers of its preset", .calls_per_question = "1"},
    .run = answer_ @NAME @, .agents = {"@NAME@.answer"}
  };
}

}  // namespace fineprint::pipelines
