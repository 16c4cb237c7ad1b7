// Makes the record of an answer that facts prove.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/citations.h"
#include "fineprint/core/records.h"

#include "pipelines/investigate/state.h"

namespace fineprint::pipelines::investigate {

// A reply with an answer, and the facts that it names.
struct Conclusion {
  const std::string& question;
  agents::FinalAnswer said;
  const agents::TurnReply& reply;
  std::span<const std::size_t> facts;
};

// Returns the answer with the facts as citations, and with the facts that disagree with them (see
// disagreeing()). Its confidence is that of the reply's tokens. If `judge` is set and the answer
// rests on several facts that hold its words, its answerability is set, at most 0.9: a mark that no
// single sentence can be compared with it.
Answer proven_answer(const session::Corpus& corpus, const State& state,
                     const Conclusion& conclusion, double min_confidence, bool judge);

}  // namespace fineprint::pipelines::investigate
