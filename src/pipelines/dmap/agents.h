// The agents that only DMAP has: one chooses where to look, by the document map alone, and one
// judges whether an answer addresses the question.
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

// Returns the names of all agents of DMAP, including those of StreamAgents.
std::vector<std::string> agent_names();

// The calls of one question; they show no pages.
class Agents {
 public:
  // `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, std::string question, std::string prompts)
      : context_(context), question_(std::move(question)), prompts_(std::move(prompts)) {}

  // Returns places by relevance, as the agent names them ("Page 7", "Table 3"): the places
  // that the question names, and the places that summaries and outline point to. If the summaries
  // are longer than `max_tokens`, an earlier call chooses sections and the agent sees only their
  // summaries. Fallback: no place, and no section. Leaves `reserve` in the budget for answering.
  std::vector<std::string> locate(const docmap::DocumentMap& map, int max_tokens,
                                  const agents::Reserve& reserve) const;

  // Returns whether the answer addresses the question completely. For an answer that abstains it is
  // false without a call. Fallback: true. Leaves `room` for answering again.
  bool addressed(const Answer& answer, const agents::Reserve& room) const;
  // Returns in a few words the part of the question that the answer leaves out, or an empty text if
  // it addresses the question. An abstention is asked about too. Fallback: empty. Leaves `room` for
  // answering again.
  std::string missing(const Answer& answer, const agents::Reserve& room) const;

 private:
  agents::Agent agent(const std::string& role) const;
  agents::TurnReply reflect(const Answer& answer, const agents::Reserve& room) const;
  std::vector<std::string> choose_sections(const std::string& outline,
                                           agents::Reserve reserve) const;

  session::Context& context_;
  const std::string question_, prompts_;
};

// Asks Reflect about the answer of another pipeline: Agents::missing(), with room for one call. An
// abstention gets a call here, because only the reply says what else to search for.
std::string missing_part(session::Context& context, const std::string& question,
                         const Answer& answer, const std::string& prompts);

}  // namespace fineprint::pipelines::dmap
