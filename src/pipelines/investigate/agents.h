// The calls of an investigation: the first reading, a step, the answer from the facts.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"
#include "fineprint/core/records.h"

#include "pipelines/investigate/actions.h"
#include "pipelines/investigate/material.h"
#include "pipelines/investigate/options.h"
#include "pipelines/investigate/state.h"

namespace fineprint::pipelines::investigate {

// What the first reading says.
struct FirstReading {
  Answer answer;  // with its citations
  bool usable = false;
  bool refused = false;                 // the budget refused the call, or cut it short
  std::vector<std::size_t> named = {};  // passages with the answer or a part of it
  std::vector<std::string> open = {};
};

// A quote that a step takes over from its material.
struct Quote {
  std::size_t source = 0;  // number of the passage or picture
  std::string text;
};

// What a step says.
struct Step {
  agents::TurnReply reply;
  bool refused = false;
  std::vector<Quote> quotes = {};
  std::vector<std::string> open = {};
  Action next = {};  // none if the program decides, or if the reply was not usable
};

// Returns the names of all agents, for the pipeline to declare.
std::vector<std::string> agent_names();

// The calls of one question. Every call but the last leaves one in the budget.
class Agents {
 public:
  // `options` and `question` must outlive the object; `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, const Question& question, const Options& options,
         const agents::AnswerOptions& answer)
      : context_(context), question_(question), options_(options), answer_(answer) {}

  // Answers from passages or says what they leave open. Fallback: the raw reply, as in textrag.
  FirstReading first(std::span<const agents::ChunkShown> passages) const;
  // Takes quotes from new material and chooses what comes next. Fallback: nothing new.
  Step step(const State& state, const Material& material, const Choices& choices) const;
  // Answers from the facts alone.
  agents::TurnReply answer(const State& state) const;

 private:
  agents::Agent agent(std::string_view role) const;

  session::Context& context_;
  const Question& question_;
  const Options& options_;
  const agents::AnswerOptions& answer_;
};

}  // namespace fineprint::pipelines::investigate
