// The limits of a question, as calls of agents meet them, and what calls add up to.
#pragma once

#include <optional>
#include <string>

#include "fineprint/agents/agent.h"

namespace fineprint::agents {

// Pages that the turn shows, over all its images.
int shown_pages(const Turn& turn);

// Which limit the question has come to, if any. Throws Error(interrupted).
std::optional<std::string> why_stopped(const session::Context& context);

// What calls that are about to be made will have spent.
struct Spending {
  int calls = 0;
  int pages = 0;
  long image_tokens = 0;
};

// Which limit keeps the call from being made beside the others, with its images and the turn's
// reserve; it is noted in the context and told as the step "budget". nullopt when the call fits.
std::optional<std::string> refusal(session::Context& context, const Agent& agent, const Turn& turn,
                                   long image_tokens, const Spending& others = {});

// Notes the first limit that the question met.
void note_limit(const std::string& reason, session::Context* context);

void add_to(Usage* sum, const Usage& part);

}  // namespace fineprint::agents
