// Leaves out of the schema what cannot be done, and parses what a reply chose.
#include "pipelines/investigate/actions.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

namespace fineprint::pipelines::investigate {
namespace {

std::string action_kind(const Json& alternative) {
  return alternative.at("properties").at("action").at("const").get<std::string>();
}

bool is_offered(const std::string& kind, const Choices& choices) {
  if (kind == "search" || kind == "read") return choices.searches;
  if (kind == "zoom") return choices.searches && choices.sees && choices.zooms;
  if (kind == "look_up") return choices.searches && choices.has_map;
  if (kind == "follow") return choices.searches && choices.has_links;
  if (kind == "cell") return choices.has_tables;
  return kind != "compute" || choices.numbers >= 2;
}

void leave_out(const char* field, Json* alternative) {
  alternative->at("properties").erase(field);
  Json& required = alternative->at("required");
  const auto found = std::ranges::find(required, Json(field));
  if (found != required.end()) required.erase(found);
}

bool has(const Json& alternative, const char* field) {
  return alternative.at("properties").contains(field);
}

// Keeps a field with these values, or leaves it out if there is nothing to choose.
void limit_to(const char* field, const std::vector<std::string>& values, Json* alternative) {
  if (!has(*alternative, field)) return;
  if (values.size() < 2) return leave_out(field, alternative);
  alternative->at("properties").at(field) = {{"enum", values}};
}

void limit(const Choices& choices, Json* alternative) {
  limit_to("document", choices.documents, alternative);
  limit_to("scorer", choices.scorers, alternative);
  if (has(*alternative, "tier") && !choices.sees) leave_out("tier", alternative);
  if (!has(*alternative, "facts")) return;
  if (choices.facts == 0) return leave_out("facts", alternative);
  alternative->at("properties").at("facts").at("items")["maximum"] = choices.facts - 1;
}

std::string text_at(const Json& object, const char* field) {
  return object.value(field, std::string());
}

}  // namespace

grammar::JsonSchema with_choices(const grammar::JsonSchema& schema, const Choices& choices) {
  Json limited = parse_json(schema.text(), "a schema");
  Json& alternatives = limited.at("properties").at("next").at("oneOf");
  Json kept = Json::array();
  for (Json& alternative : alternatives) {
    if (!is_offered(action_kind(alternative), choices)) continue;
    limit(choices, &alternative);
    kept.push_back(alternative);
  }
  alternatives = std::move(kept);
  return grammar::JsonSchema::parse(dump_json(limited));
}

std::string described(const grammar::JsonSchema& schema) {
  const Json parsed = parse_json(schema.text(), "a schema");
  std::vector<std::string> lines;
  for (const Json& alternative : parsed.at("properties").at("next").at("oneOf")) {
    lines.push_back(format("- {}: {}", action_kind(alternative),
                           alternative.value("description", std::string())));
  }
  return join_texts(lines, "\n");
}

Action action_of(const Json& next) {
  Action action{.kind = text_at(next, "action"),
                .document = text_at(next, "document"),
                .words = text_at(next, "words"),
                .scorer = text_at(next, "scorer"),
                .tier = text_at(next, "tier"),
                .where = text_at(next, "where"),
                .row = text_at(next, "row"),
                .column = text_at(next, "column"),
                .operation = text_at(next, "operation"),
                .numbers = next.value("numbers", std::vector<std::string>()),
                .pages = next.value("pages", std::vector<int>()),
                .facts = next.value("facts", std::vector<std::size_t>())};
  if (action.kind == "look_up") action.words = text_at(next, "place");
  if (action.kind == "answer") action.words = text_at(next, "answer");
  if (next.contains("page")) action.pages = {next.at("page").get<int>()};
  return action;
}

std::string action_text(const Action& action) {
  std::string text = action.kind;
  if (!action.words.empty()) text += format(" \"{}\"", action.words);
  if (!action.row.empty()) text += format(" \"{}\", \"{}\"", action.row, action.column);
  if (!action.operation.empty()) {
    text += format(" {} of {}", action.operation, join_texts(action.numbers, " and "));
  }
  if (!action.where.empty()) text += format(" {} of", action.where);
  for (const int page : action.pages) text += format(" page {}", page);
  if (!action.document.empty()) text += format(" in {}", action.document);
  return text;
}

}  // namespace fineprint::pipelines::investigate
