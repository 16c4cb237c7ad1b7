// The agents of DMAP that no other method has: one that says where to look, by the map alone, and
// one that says whether an answer is one.
// Source: DMAP, sections 3.3.1 and 3.3.2 and appendix A; the form of replies and the fallbacks are
// ours.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/core/records.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/session/context.h"

namespace fineprint::pipelines::dmap {

// Of StreamAgents too.
std::vector<std::string> agent_names();

// One question's calls, without pages.
class Agents {
 public:
  // `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, std::string question, std::string prompts)
      : context_(context), question_(std::move(question)), prompts_(std::move(prompts)) {}

  // Places by relevance as the agent names them ("Page 7", "Table 3"): what the question names, and
  // what summaries and outline point to. With summaries of over `max_tokens` it sees those of the
  // sections that another call has chosen before. Fallback: none, and no section. Leaves room for
  // an answer.
  std::vector<std::string> locate(const docmap::DocumentMap& map, int max_tokens) const;

  // Whether the answer is one to the question and lacks nothing; one that declines never is, and
  // nobody is asked. Fallback: it is. Leaves `room` for answering again.
  bool addressed(const Answer& answer, const agents::Reserve& room) const;

 private:
  agents::Agent agent(const std::string& role) const;
  std::vector<std::string> choose_sections(const std::string& outline) const;

  session::Context& context_;
  const std::string question_, prompts_;
};

}  // namespace fineprint::pipelines::dmap
