// Asks the agents and parses their replies.
#include "pipelines/investigate/agents.h"

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::pipelines::investigate {
namespace {

// Returns the schema with an empty list of quotes: there is nothing to quote.
grammar::JsonSchema without_facts(const grammar::JsonSchema& schema) {
  Json changed = parse_json(schema.text(), "a schema");
  changed.at("properties").at("facts")["maxItems"] = 0;
  return grammar::JsonSchema::parse(dump_json(changed));
}

std::vector<std::string> texts_in(const Json& object, const char* field) {
  return object.value(field, std::vector<std::string>());
}

agents::Value material_of(const Material& material) {
  agents::Value value = agents::chunk_list(material.passages);
  value.name = "material";
  if (!material.pictures.empty()) value.text += "The pages that you see.\n";
  if (material.empty()) value.text = "Nothing.\n";
  return value;
}

}  // namespace

std::vector<std::string> agent_names() {
  std::vector<std::string> names;
  for (const char* role : {"first", "step", "step_guided", "answer"}) {
    names.push_back(format("investigate.{}", std::string_view(role)));
  }
  for (std::string& name : agents::chunk_answer_agents()) names.push_back(std::move(name));
  return names;
}

agents::Agent Agents::agent(std::string_view role) const {
  return agents::load_agent(format("investigate.{}", role), answer_.prompts);
}

FirstReading Agents::first(std::span<const agents::ChunkShown> passages) const {
  agents::Turn turn{.question = question_.text, .values = {agents::chunk_list(passages)}};
  turn.indices = agents::IndexBound{.field = "chunks", .count = passages.size()};
  const agents::TurnReply reply = agents::call(context_, agent("first"), turn);
  FirstReading reading{.answer = agents::cited_chunks(context_, question_, passages, reply,
                                                      "chunks", answer_.min_confidence),
                       .usable = reply.usable,
                       .refused = !reply.budget_reason.empty()};
  if (!reply.usable) return reading;
  const Json object = parse_json(reply.text, "a reply");
  reading.named = object.at("chunks").get<std::vector<std::size_t>>();
  reading.open = texts_in(object, "open");
  return reading;
}

Step Agents::step(const State& state, const Material& material, const Choices& choices) const {
  const bool guided = options_.decides == Decider::program;
  agents::Agent asked = agent(guided ? "step_guided" : "step");
  if (!guided) asked.schema = with_choices(*asked.schema, choices);
  agents::Turn turn{.question = question_.text,
                    .values = {{"state", state.text()}, material_of(material)},
                    .shown = material.pictures,
                    .reserve = {.calls = 1}};
  if (!guided) turn.values.push_back({"actions", described(*asked.schema), false});
  const bool quotes = options_.notes && !material.empty();
  if (quotes) turn.indices = agents::IndexBound{.field = "source", .count = material.size()};
  if (!quotes) asked.schema = without_facts(*asked.schema);
  Step step{.reply = agents::call(context_, asked, turn)};
  step.refused = !step.reply.budget_reason.empty();
  if (!step.reply.usable) return step;
  const Json object = parse_json(step.reply.text, "a reply");
  for (const Json& fact : object.value("facts", Json::array())) {
    step.quotes.push_back(
        {fact.at("source").get<std::size_t>(), fact.at("quote").get<std::string>()});
  }
  step.open = texts_in(object, "open");
  if (!guided) step.next = action_of(object.at("next"));
  return step;
}

agents::TurnReply Agents::answer(const State& state) const {
  agents::Turn turn{.question = question_.text, .values = {{"state", state.text()}}};
  turn.indices = agents::IndexBound{.field = "facts", .count = state.facts().size()};
  return agents::call(context_, agent("answer"), turn);
}

}  // namespace fineprint::pipelines::investigate
