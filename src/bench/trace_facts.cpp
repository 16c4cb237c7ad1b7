// Reads steps by the names of docs/schemas/step.json.
#include "bench/trace_facts.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::bench {
namespace {

// Roles of agents whose calls find pages. All other agents read pages for the answer, as MoLoRAG's
// tables of times count them. The role is the part of an agent's name after its pipeline, so that
// any pipeline may have it.
constexpr std::array<std::string_view, 2> kFindingRoles = {"relevance", "locate"};

// What the steps of one trace add up to.
struct StepSums {
  bool reflects = false, expanded = false;  // DMAP, or --reflect
  bool decouples = false;                   // HKRAG
  bool seeks = false;                       // ViDoRAG
  int rounds = 0;
  double answering_ms = 0;
  std::set<std::string> judged;
};

// Repeated attempts of a call belong to the same round.
bool is_first_attempt(const Json& step) { return step.value("attempt", 1) == 1; }

void add_call(const Json& step, StepSums* sums) {
  const std::string agent = step.value("agent", "");
  const std::string_view role = std::string_view(agent).substr(agent.find('.') + 1);
  const bool is_call = step.at("step") == "call";
  const bool finds = std::ranges::any_of(
      kFindingRoles, [&](std::string_view name) { return role.starts_with(name); });
  if (is_call && !finds) sums->answering_ms += step.value("ms", 0.0);
  sums->reflects = sums->reflects || role == "reflect";
  sums->seeks = sums->seeks || role == "seeker";
  sums->decouples = sums->decouples || role.starts_with("decoupler");
  const bool begins = role == "seeker" || role.starts_with("decoupler_mine");
  if (is_call && begins && is_first_attempt(step)) ++sums->rounds;
}

void add_step(const Json& step, StepSums* sums) {
  const std::string& name = step.at("step").get_ref<const std::string&>();
  if (name == "call" || name == "budget") return add_call(step, sums);
  if (name == "relevance") sums->judged.insert(step.value("page", ""));
  if (name == "expanded" || name == "reflected") {
    sums->expanded = true;
    ++sums->rounds;
  }
}

StepSums sums_of(const Answer& answer) {
  const Json trace = parse_json(answer.trace_json, "a trace");
  StepSums sums;
  try {
    for (const Json& step : trace) add_step(step, &sums);
  } catch (const Json::exception& error) {
    throw Error(
        ErrorCode::input,
        format("the trace of question {} has a step that cannot be read: {}; delete its line from "
               "answers.jsonl to answer it again",
               answer.id, error.what()));
  }
  return sums;
}

}  // namespace

TraceFacts trace_facts(const Answer& answer) {
  TraceFacts facts;
  if (answer.error) return facts;
  if (answer.uncertain) facts.splits["uncertain"] = *answer.uncertain;
  if (answer.trace_json.empty()) return facts;
  const StepSums sums = sums_of(answer);
  const bool reflects = sums.reflects || sums.expanded;
  const bool weighs = answer.uncertain.has_value() || sums.decouples;
  if (reflects) facts.splits["reflected"] = sums.expanded;
  if (reflects || weighs || sums.seeks) facts.splits["rounds"] = sums.rounds;
  // Calls that ran side by side add up to more than the time that passed.
  facts.answering_ms = std::min(sums.answering_ms, answer.usage.ms);
  facts.retrieval_ms = answer.usage.ms - *facts.answering_ms;
  if (!sums.judged.empty()) facts.judged_pages = static_cast<std::int64_t>(sums.judged.size());
  return facts;
}

}  // namespace fineprint::bench
