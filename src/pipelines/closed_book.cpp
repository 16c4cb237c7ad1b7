// Closed book: one call without pages. It shows how much of a score is the model's own knowledge.
// Source: the baseline without retrieval of HKRAG, table 3.
#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {
namespace {

constexpr const char* kClosedBookAgent = "closed-book.answer";

// Without pages there is nothing to cite.
Answer answer_closed_book(session::Context& context, const Question& question,
                          const PipelineOptions& options) {
  agents::Agent agent = agents::load_agent(kClosedBookAgent, options.answer.prompts);
  agent.max_new_tokens = options.answer.max_new_tokens;
  const agents::TurnReply reply = agents::call(context, agent, {.question = question.text});
  return agents::answer_of(agents::stated_answer(reply, ""), {}, options.answer.min_confidence);
}

}  // namespace

Pipeline closed_book_pipeline() {
  return {.info = {.name = "closed-book",
                   .needs = "nothing",
                   .calls_per_question = "1",
                   .searches = false},
          .run = answer_closed_book,
          .agents = {kClosedBookAgent},
          .reads = {"answer-tokens"}};
}

}  // namespace fineprint::pipelines
