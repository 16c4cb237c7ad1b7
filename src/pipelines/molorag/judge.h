// The agent of MoLoRAG: how much of the answer a page holds.
// Source: MoLoRAG, section 3.2 and appendix B; the ways to ask for it and the fallbacks are ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"

namespace fineprint::pipelines::molorag {

// All agents, for the pipeline to declare.
std::vector<std::string> judge_names();

// What a page may be given: "1", nothing, to "5", all of what answers the question.
const std::vector<std::string>& judge_marks();

// The first digit from 1 to 5 that stands in the text; 3 when there is none, as MoLoRAG's code has
// it.
int first_mark(std::string_view text);

// One question's verdicts.
class Judge {
 public:
  struct Asking {
    bool soft = false;             // the mean of the marks, by their probabilities
    std::string prompts = {};      // a folder, as for load_prompt
    agents::Reserve reserve = {};  // what the answer needs of the budget
  };
  Judge(session::Context& context, std::string question, const Asking& asking);

  // From 1 to 5, by one call: the likeliest mark, or JSON when the generator tells no
  // probabilities; fallback: first_mark of the reply. nullopt: a limit was met.
  std::optional<double> relevance(std::uint32_t page);

 private:
  std::optional<double> chosen(const agents::Turn& turn);
  std::optional<double> written(const agents::Turn& turn);

  session::Context& context_;
  const std::string question_;
  const bool soft_;
  const agents::Reserve reserve_;
  const agents::Agent chooser_, writer_;
  bool chooses_ = true;  // until the generator could not
};

}  // namespace fineprint::pipelines::molorag
