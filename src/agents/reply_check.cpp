// Extracts the JSON from a reply and checks it against the schema and the turn.
#include "agents/reply_check.h"

#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

namespace fineprint::agents {
namespace {

bool is_below(const Json& index, std::size_t count) {
  // Other types are the schema's concern.
  if (!index.is_number()) return true;
  // As a double, because a reply may hold fractions, or numbers that no integer type holds.
  return index.get<double>() >= 0 && index.get<double>() < static_cast<double>(count);
}

std::optional<std::string> problem_of(const std::string& field, const Json& index,
                                      std::size_t count) {
  if (is_below(index, count)) return std::nullopt;
  if (count == 0) return format("\"{}\" names {}, but there is none to name", field, index.dump());
  return format("\"{}\" names {}, but only 0 to {} were shown", field, index.dump(), count - 1);
}

bool bounds(const IndexBound& bound, const std::string& name) {
  return name == bound.field || (name == bound.also && !name.empty());
}

std::optional<std::string> find_problem(const IndexBound& bound, const Json& value) {
  if (!value.is_structured()) return std::nullopt;
  for (const auto& [key, item] : value.items()) {
    std::optional<std::string> problem = find_problem(bound, item);
    if (value.is_object() && bounds(bound, key)) {
      for (const Json& index : item.is_array() ? item : Json::array({item})) {
        if (!problem) problem = problem_of(key, index, bound.count);
      }
    }
    if (problem) return problem;
  }
  return std::nullopt;
}

// Sets the maximum in each property of that name, whether it is an integer or a list of them.
void set_bounds(const std::string& field, std::size_t maximum, bool some, Json* schema) {
  if (!schema->is_structured()) return;
  for (auto& [key, value] : schema->items()) {
    set_bounds(field, maximum, some, &value);
    if (key != "properties" || !value.contains(field)) continue;
    Json& property = value[field];
    const bool is_list = property.contains("items");
    (is_list ? property["items"] : property)["maximum"] = maximum;
    if (is_list && some) property["minItems"] = 1;
  }
}

// Adds what small models leave out although it follows from the rest: a reply with an answer is one
// that can be given, and if no evidence is named, all that was shown may be it.
std::string with_left_out(const std::string& json, const Turn& turn) {
  Json reply = Json::parse(json, nullptr, false);
  if (!reply.is_object() || !reply.contains("answer") || !reply["answer"].is_string()) return json;
  if (!reply.contains("answerable")) reply["answerable"] = true;
  if (turn.indices && !reply.contains(turn.indices->field)) {
    Json& all = reply[turn.indices->field] = Json::array();
    for (std::size_t i = 0; i < turn.indices->count; ++i) all.push_back(i);
  }
  return dump_json(reply);
}

}  // namespace

CheckedReply check_reply(const Agent& agent, const Turn& turn, const std::string& reply) {
  CheckedReply checked{.text = std::string(trim(reply)), .problem = std::nullopt};
  if (agent.schema) {
    const std::optional<std::string> json = grammar::json_in_reply(reply);
    if (!json) return {.text = reply, .problem = "it holds no whole JSON object"};
    checked.text = *json;
    checked.problem = agent.schema->problem(checked.text);
    if (checked.problem) {
      checked.text = with_left_out(*json, turn);
      if (agent.schema->problem(checked.text)) return {.text = reply, .problem = checked.problem};
      checked.problem.reset();
      checked.completed = true;
    }
    if (turn.indices) {
      checked.problem = find_problem(*turn.indices, parse_json(checked.text, "a reply"));
    }
  }
  if (turn.check && !checked.problem) checked.problem = turn.check(checked.text);
  // Callers may still use the raw text of a malformed reply.
  if (checked.problem) checked.text = reply;
  return checked;
}

grammar::JsonSchema bounded_schema(const grammar::JsonSchema& schema,
                                   const std::optional<IndexBound>& indices) {
  // No maximum is valid if there is nothing to name; check_reply() refuses every index instead.
  if (!indices || indices->count == 0) return schema;
  Json bounded = parse_json(schema.text(), "a schema");
  set_bounds(indices->field, indices->count - 1, indices->some, &bounded);
  if (!indices->also.empty()) set_bounds(indices->also, indices->count - 1, false, &bounded);
  return grammar::JsonSchema::parse(dump_json(bounded));
}

}  // namespace fineprint::agents
