// Searches, reads, enlarges, looks up, follows links, takes cells and calculates.
#include "pipelines/investigate/perform.h"

#include <optional>
#include <string>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "pipelines/investigate/compute.h"

namespace fineprint::pipelines::investigate {
namespace {

std::string take_cell(const Action& action, const Finder& finder, State* state) {
  const std::optional<Cell> cell = finder.cell(action);
  if (!cell) return "no table that was read has it";
  state->note(cell->page, cell->row, cell->reading);
  return "noted";
}

std::string take_computed(const Action& action, State* state) {
  Computed computed = compute(*state, action.operation, action.numbers);
  if (!computed.problem.empty()) return computed.problem;
  state->note_computed(std::move(computed.derivation), std::move(computed.from));
  return "noted";
}

void tell_action(const Action& action, const std::string& outcome, std::size_t found,
                 const Events& events) {
  const std::string text = action_text(action);
  events.tell({.step = "action",
               .fields = dump_json(
                   {{"action", action.kind}, {"text", text}, {"outcome", outcome}, {"new", found}}),
               .line = format("investigate: {}: {}", text, outcome)});
}

}  // namespace

Material perform(const Action& action, const Events& events, Finder* finder, State* state) {
  Material material;
  std::string outcome;
  if (action.kind == "search") material = finder->search(action);
  if (action.kind == "read") material = finder->read(action);
  if (action.kind == "zoom") material = finder->zoom(action);
  if (action.kind == "look_up") material = finder->look_up(action);
  if (action.kind == "follow") material = finder->follow(action);
  if (action.kind == "cell") outcome = take_cell(action, *finder, state);
  if (action.kind == "compute") outcome = take_computed(action, state);
  if (outcome.empty()) {
    outcome = material.empty() ? "nothing new" : format("{} new", material.size());
  }
  if (!action.kind.empty()) state->did(format("{}: {}", action_text(action), outcome));
  tell_action(action, outcome, material.size(), events);
  return material;
}

}  // namespace fineprint::pipelines::investigate
