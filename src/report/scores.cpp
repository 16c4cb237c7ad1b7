// Reads the file of a scorer.
#include <sstream>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/report/report.h"

namespace fineprint::report {
namespace {

[[noreturn]] void throw_score_field(const char* name, const char* why) {
  throw Error(ErrorCode::input, format("field '{}' {}", name, why));
}

// Removes the field from the object and returns it, or null if it is absent.
Json take_field(Json* object, const char* name) {
  const auto found = object->find(name);
  if (found == object->end()) return nullptr;
  Json value = std::move(*found);
  object->erase(found);
  return value;
}

std::string text_field(Json* object, const char* name) {
  const Json value = take_field(object, name);
  if (value.is_null()) return {};
  if (value.is_number()) return dump_json(value);  // ids may be numbers
  if (!value.is_string()) throw_score_field(name, "must be a string");
  return value.get<std::string>();
}

std::vector<std::string> text_list(Json* object, const char* name) {
  const Json value = take_field(object, name);
  if (value.is_null()) return {};
  if (!value.is_array()) throw_score_field(name, "must be a list of strings");
  std::vector<std::string> texts;
  for (const Json& one : value) {
    if (!one.is_string()) throw_score_field(name, "must be a list of strings");
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

// Known fields are taken out; the rest is kept and shown as it is.
Score parse_score(const std::string& line) {
  Json object = parse_json(line, "score");
  if (!object.is_object()) throw Error(ErrorCode::input, "not a JSON object");
  Score score;
  score.id = text_field(&object, "id");
  if (score.id.empty()) throw_score_field("id", "is missing");
  if (const Json value = take_field(&object, "score"); !value.is_null()) {
    if (!value.is_number()) throw_score_field("score", "must be a number");
    score.score = value.get<double>();
  }
  if (const Json value = take_field(&object, "correct"); !value.is_null()) {
    if (!value.is_boolean()) throw_score_field("correct", "must be true, false or null");
    score.correct = value.get<bool>();
  }
  score.quirks = text_list(&object, "quirks");
  score.error = text_field(&object, "error");
  // Scorers have fields of their own, which a person who checks a verdict wants to see.
  score.fields_json = dump_json(object);
  return score;
}

}  // namespace

std::vector<Score> read_scores(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::vector<Score> scores;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (trim(line).empty()) continue;
    try {
      scores.push_back(parse_score(line));
    } catch (const Error& error) {
      // The parser knows neither file nor line, without which nobody finds the error.
      throw Error(ErrorCode::input, format("{}:{}: {}", path, number, error.what()));
    }
  }
  return scores;
}

}  // namespace fineprint::report
