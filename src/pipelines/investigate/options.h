// The choices that the method leaves open; the variants in configs/variants are made of them.
#pragma once

#include "fineprint/core/option.h"

namespace fineprint::pipelines::investigate {

// Who chooses the next action: the model, by its reply, or the program, which searches for the open
// parts in turn.
enum class Decider { model, program };

// When the rounds end. early: as soon as nothing is open, the model answers or gives up, or nothing
// new comes. fixed: after `rounds` rounds.
enum class Ending { early, fixed };

// Options of the pipeline; options.cpp has a help text for each.
struct Options {
  int rounds = 4;        // the most rounds after the first reading
  int new_passages = 4;  // the most passages that a search adds
  Decider decides = Decider::model;
  Ending ending = Ending::early;
  bool notes = true;   // keep facts, and do not show again what was read
  bool verify = true;  // take no quote that is not on its page, and no answer that no fact holds
  bool zoom = true, map = true, links = true;
};

const OptionTable<Options>& investigate_options();

}  // namespace fineprint::pipelines::investigate
