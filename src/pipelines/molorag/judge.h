// The agent of MoLoRAG: judges how much of the answer a page holds.
// Source: MoLoRAG, section 3.2 and appendix B; the ways of asking and the fallbacks are ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/core/ids.h"

namespace fineprint::pipelines::molorag {

// Returns the names of all agents, for the pipeline to declare.
std::vector<std::string> judge_names();

// Returns the marks that a page may get: from "1", nothing, to "5", the complete answer.
const std::vector<std::string>& judge_marks();

// Returns the first digit from 1 to 5 in the text, or 3 if there is none, as MoLoRAG's code does.
int first_mark(std::string_view text);

// The verdicts of one question.
class Judge {
 public:
  struct Asking {
    bool soft = false;             // return the mean of the marks, weighted by probability
    std::string prompts = {};      // a folder, as for load_prompt
    agents::Reserve reserve = {};  // what the answer needs of the budget
  };
  Judge(session::Context& context, std::string question, const Asking& asking);

  // Returns a verdict from 1 to 5, by one call: the likeliest mark, or JSON if the generator gives
  // no probabilities. Fallback: first_mark() of the reply. Returns nullopt if a limit was reached.
  std::optional<double> relevance(PageId page);

 private:
  std::optional<double> chosen(const agents::Turn& turn);
  std::optional<double> written(const agents::Turn& turn);

  session::Context& context_;
  const std::string question_;
  const bool soft_;
  const agents::Reserve reserve_;
  const agents::Agent chooser_, writer_;
  bool chooses_ = true;  // false once the generator could not
};

}  // namespace fineprint::pipelines::molorag
