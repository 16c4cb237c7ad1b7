// Reads and writes JSON Lines of questions and answers.
#include "fineprint/evidence/examples.h"

#include <algorithm>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

namespace fineprint::evidence {
namespace {

using models::QaPassage;

[[noreturn]] void not_an_example(const std::string& where, const std::string& why) {
  throw Error(
      ErrorCode::input,
      format("{}: {}; expected {{\"question\": TEXT, \"passages\": [PASSAGE, ...]}}, where a "
             "PASSAGE is {{\"text\": TEXT}} or {{\"rows\": [[CELL, ...], ...]}}, optionally with "
             "\"context\": TEXT and \"header_rows\": N",
             where, why));
}

// Returns a text of an object; "" if the key is missing.
std::string text_of(const Json& object, const char* key, const std::string& where) {
  if (!object.contains(key)) return "";
  if (!object[key].is_string()) not_an_example(where, format("\"{}\" is not a text", key));
  return object[key].get<std::string>();
}

std::vector<std::string> row_of(const Json& cells, const std::string& where) {
  const auto is_text = [](const Json& cell) { return cell.is_string(); };
  if (!cells.is_array() || !std::ranges::all_of(cells, is_text)) {
    not_an_example(where, "a row is not a list of texts");
  }
  return cells.get<std::vector<std::string>>();
}

QaPassage passage_of(const Json& object, const std::string& where) {
  // Exactly one of them, because the model reads a passage either as running text or as cells.
  if (!object.is_object() || object.contains("text") == object.contains("rows")) {
    not_an_example(where, "a passage must have either \"text\" or \"rows\"");
  }
  QaPassage passage;
  passage.context = text_of(object, "context", where);
  passage.text = text_of(object, "text", where);
  if (object.contains("text")) return passage;
  if (!object["rows"].is_array() || object["rows"].empty()) {
    not_an_example(where, "\"rows\" is not a list of rows");
  }
  for (const Json& row : object["rows"]) passage.rows.push_back(row_of(row, where));
  if (!object.contains("header_rows")) return passage;
  const Json& heads = object["header_rows"];
  if (!heads.is_number_integer() || heads.get<std::int64_t>() < 0 ||
      heads.get<std::int64_t>() > static_cast<std::int64_t>(passage.rows.size())) {
    not_an_example(where, "\"header_rows\" is not a number from 0 to the table's rows");
  }
  passage.header_rows = heads.get<int>();
  return passage;
}

Json places_of(const std::vector<Place>& places) {
  Json all = Json::array();
  for (const Place& place : places) {
    all.push_back(place.is_cell() ? Json{place.row, place.column} : Json{place.begin, place.end});
  }
  return all;
}

}  // namespace

Example example_of(std::string_view text, const std::string& where, std::size_t number) {
  const Json line = parse_json(text, where);
  if (!line.is_object()) not_an_example(where, "the line is not a JSON object");
  Example example;
  // Without an id, the line number identifies the answer.
  example.id = std::to_string(number);
  if (line.contains("id")) {
    // Ids that are numbers are kept as they are written.
    example.id = line["id"].is_string() ? line["id"].get<std::string>() : dump_json(line["id"]);
  }
  example.question = text_of(line, "question", where);
  if (example.question.empty()) not_an_example(where, "\"question\" is missing");
  if (!line.contains("passages") || !line["passages"].is_array()) {
    not_an_example(where, "\"passages\" is missing, or is not a list");
  }
  for (const Json& passage : line["passages"]) {
    example.passages.push_back(passage_of(passage, where));
  }
  return example;
}

std::vector<Example> read_examples(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<Example> examples;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    const std::string where = format("{}, line {}", path, ++number);
    // Blank lines count as lines, so that errors name the line that an editor shows.
    if (trim(line).empty()) continue;
    examples.push_back(example_of(line, where, number));
  }
  if (examples.empty())
    throw Error(ErrorCode::input,
                format("{}: contains no questions; each line holds one, as JSON", path));
  return examples;
}

std::string to_json_line(const std::string& id, const Execution& execution) {
  Json answer = nullptr;
  if (execution.texts.size() == 1) answer = execution.texts.front();
  if (execution.texts.size() > 1) answer = execution.texts;
  const bool unscaled = execution.scale == models::QaScale::none;
  const auto scale = static_cast<std::size_t>(execution.scale);
  const auto operation = static_cast<std::size_t>(execution.operation);
  Json line = {{"id", id},
               {"answer", answer},
               {"scale", unscaled ? "" : models::kQaScaleNames[scale]},
               {"operator", models::kQaOperatorNames[operation]},
               {"derivation", execution.derivation},
               {"passage", execution.passage}};
  if (!execution.evidence.empty()) {
    const char* key = execution.evidence.front().is_cell() ? "cells" : "spans";
    // Passages are texts or tables, never both, so the first place gives the kind of all.
    line[key] = places_of(execution.evidence);
  }
  line["probability"] = execution.probability;
  line["null"] = execution.nothing;
  return dump_json(line);
}

}  // namespace fineprint::evidence
