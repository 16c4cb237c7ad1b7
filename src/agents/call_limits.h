// The limits of a question, as they apply to calls of agents, and the sums of usage.
#pragma once

#include <optional>
#include <string>

#include "fineprint/agents/agent.h"

namespace fineprint::agents {

// Returns how many pages the turn shows, over all its images.
int shown_pages(const Turn& turn);

// What calls that are about to be made will spend.
struct Spending {
  int calls = 0;
  int pages = 0;
  long image_tokens = 0;
};

// Returns the limit that forbids the call, counted together with `others`, its images and the
// turn's reserve, or nullopt if the call fits. Notes the limit in the context and traces it as the
// step "budget".
std::optional<std::string> refusal(session::Context& context, const Agent& agent, const Turn& turn,
                                   long image_tokens, const Spending& others = {});

void add_to(Usage* sum, const Usage& part);

}  // namespace fineprint::agents
