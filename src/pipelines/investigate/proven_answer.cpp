// Cites facts, shows contradictions, and judges answers that rest on several facts.
#include "pipelines/investigate/proven_answer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/agents/uncertainty.h"

#include "pipelines/investigate/conflicts.h"
#include "pipelines/investigate/proof.h"

namespace fineprint::pipelines::investigate {
namespace {

// As for replies without log-probabilities that pages support: nothing is certain.
constexpr double kMostCertain = 0.9;

}  // namespace

Answer proven_answer(const session::Corpus& corpus, const State& state,
                     const Conclusion& conclusion, double min_confidence, bool judge) {
  const agents::FinalAnswer& said = conclusion.said;
  const std::optional<double> doubt = agents::uncertainty(conclusion.reply.tokens, {});
  agents::StatedAnswer stated;
  stated.answer = said.text;
  stated.answerable = said.answerable;
  stated.confidence = said.answerable ? 1 - doubt.value_or(0) : doubt.value_or(0);
  stated.weighed = doubt.has_value();
  std::vector<agents::Claim> claims;
  if (said.answerable) {
    claims = state.claims_of(conclusion.facts, stated.confidence);
    const auto others = disagreeing(corpus, state, conclusion.question, conclusion.facts);
    if (!others.empty()) {
      stated.answer = with_both(corpus, state, said.text, conclusion.facts, others);
      std::ranges::move(state.claims_of(others, stated.confidence), std::back_inserter(claims));
    }
  }
  Answer answer =
      agents::answer_of(stated, agents::cite(corpus, state.seen(), claims), min_confidence);
  const bool is_judged = judge && answer.answerable && claims.size() > 1 &&
                         holds_answer(state.said_by(conclusion.facts), said.text);
  if (is_judged) {
    answer.confidence = std::min(answer.confidence, kMostCertain);
    answer.answerability = answer.confidence;
  }
  return answer;
}

}  // namespace fineprint::pipelines::investigate
