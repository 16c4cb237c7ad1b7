// Does what an action says, and records it in the state.
#pragma once

#include "fineprint/core/events.h"

#include "pipelines/investigate/actions.h"
#include "pipelines/investigate/material.h"
#include "pipelines/investigate/state.h"

namespace fineprint::pipelines::investigate {

// Performs an action that is not "answer" or "give_up" and returns what it found; a cell or a
// result becomes a fact instead. An action without a kind does nothing. Traces the step "action".
Material perform(const Action& action, const Events& events, Finder* finder, State* state);

}  // namespace fineprint::pipelines::investigate
