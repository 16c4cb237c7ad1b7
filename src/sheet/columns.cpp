// Parses files of columns.
#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/sheet/column.h"
#include "fineprint/sheet/value.h"
#include "fineprint/text/answer_kind.h"

#include "sheet/known_labels.h"

namespace fineprint::sheet {
namespace {

constexpr std::array<std::pair<std::string_view, ColumnType>, 6> kTypes = {
    {{"text", ColumnType::text},
     {"number", ColumnType::number},
     {"money", ColumnType::money},
     {"date", ColumnType::date},
     {"yes/no", ColumnType::yes_no},
     {"one of", ColumnType::one_of}}};
constexpr std::array<std::string_view, 7> kKeys = {"name",   "question", "type",     "unit",
                                                   "labels", "choices",  "day_first"};

// Where a column is in its file, for messages.
struct Place {
  const std::string& file;
  std::size_t line = 0;

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorCode::usage, format("{}:{}: {}", file, line, reason));
  }
};

// Returns the lines, from 1, on which the tables [[column]] begin, because parsed values have none.
std::vector<std::size_t> lines_of_tables(std::string_view text) {
  std::vector<std::size_t> found;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    std::string packed;
    for (const char c : line.substr(0, line.find('#'))) {
      if (c != ' ' && c != '\t' && c != '\r') packed += c;
    }
    if (packed == "[[column]]") found.push_back(number);
  }
  return found;
}

std::string text_at(const Json& table, const char* key, const Place& place) {
  if (!table.contains(key)) return {};
  if (!table.at(key).is_string()) place.refuse(format("{} must be text in quotes", key));
  return one_line(table.at(key).get<std::string>());
}

std::vector<std::string> texts_at(const Json& table, const char* key, const Place& place) {
  std::vector<std::string> texts;
  if (!table.contains(key)) return texts;
  const auto refuse = [&] {
    place.refuse(format("{} must be a list of texts that are not empty", key));
  };
  if (!table.at(key).is_array()) refuse();
  for (const Json& one : table.at(key)) {
    if (!one.is_string()) refuse();
    texts.push_back(one_line(one.get<std::string>()));
    if (texts.back().empty()) refuse();
  }
  return texts;
}

ColumnType type_at(const Json& table, const Place& place) {
  const std::string name = text_at(table, "type", place);
  if (name.empty()) return ColumnType::text;
  if (const std::optional<ColumnType> type = type_named(name)) return *type;
  place.refuse(format("unknown type \"{}\"; choose one of: {}", name,
                      join_texts(kTypes, ", ", [](const auto& one) { return one.first; })));
}

// A key that can have no effect is a mistake.
void check_keys_fit(const Json& table, Column* column, const Place& place) {
  const bool has_unit = column->type == ColumnType::number || column->type == ColumnType::money;
  if (!column->unit.empty() && !has_unit) {
    place.refuse(format("only numbers and money have a unit, and \"{}\" is of type {}",
                        column->name, type_name(column->type)));
  }
  if (column->type == ColumnType::money && !column->unit.empty()) {
    const std::string code = currency_code(column->unit);
    if (code.empty()) {
      place.refuse(
          format("unknown currency \"{}\"; give a code as in unit = \"EUR\"", column->unit));
    }
    column->unit = code;
  }
  const bool chooses = column->type == ColumnType::one_of;
  if (chooses && column->choices.size() < 2) {
    place.refuse(
        format("\"{}\" is of type one of; give what it can be, as in choices = "
               "[\"open\", \"paid\"]",
               column->name));
  }
  if (!chooses && !column->choices.empty()) {
    place.refuse(format("choices are only for type = \"one of\", and \"{}\" is of type {}",
                        column->name, type_name(column->type)));
  }
  if (table.contains("day_first") && column->type != ColumnType::date) {
    place.refuse(format("day_first is only for dates, and \"{}\" is of type {}", column->name,
                        type_name(column->type)));
  }
}

Column column_of(const Json& table, const Place& place) {
  for (const auto& [key, value] : table.items()) {
    if (std::ranges::find(kKeys, key) == kKeys.end()) {
      place.refuse(format("unknown key {}; a column has: {}", key, join_texts(kKeys, ", ")));
    }
  }
  Column column{.name = text_at(table, "name", place),
                .question = text_at(table, "question", place)};
  if (column.name.empty() && column.question.empty()) {
    place.refuse(
        "the column has no name; give name = \"...\", and question = \"...\" if the name "
        "does not ask enough");
  }
  if (column.name.empty()) column.name = column.question;
  if (column.question.empty()) column.question = column.name;
  column.type = type_at(table, place);
  column.unit = text_at(table, "unit", place);
  column.labels = texts_at(table, "labels", place);
  column.choices = texts_at(table, "choices", place);
  if (table.contains("day_first")) {
    if (!table.at("day_first").is_boolean()) place.refuse("day_first must be true or false");
    column.day_first = table.at("day_first").get<bool>();
  }
  complete_column(/*typeless=*/!table.contains("type") && column.choices.empty(), &column);
  check_keys_fit(table, &column, place);
  return column;
}

// A column is numbered with its line.
using NumberedColumns = std::vector<std::pair<std::size_t, Column>>;

NumberedColumns toml_columns(std::string_view text, const std::string& name) {
  const Json whole = settings::parse_toml(text, name);
  for (const auto& [key, value] : whole.items()) {
    if (key != "column" || !value.is_array()) {
      throw Error(ErrorCode::usage,
                  format("{}: unknown key {}; the file holds tables [[column]] only", name, key));
    }
  }
  NumberedColumns columns;
  if (!whole.contains("column")) return columns;
  const std::vector<std::size_t> lines = lines_of_tables(text);
  const Json& tables = whole.at("column");
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Place place{.file = name, .line = i < lines.size() ? lines[i] : 1};
    if (!tables[i].is_object()) place.refuse("a column must be a table [[column]]");
    columns.emplace_back(place.line, column_of(tables[i], place));
  }
  return columns;
}

ColumnType type_of_question(const std::string& question) {
  using text::AnswerKind;
  switch (text::answer_kind(question)) {
    case AnswerKind::date:
      return ColumnType::date;
    case AnswerKind::money:
      return ColumnType::money;
    case AnswerKind::number:
    case AnswerKind::count:
    case AnswerKind::percent:
      return ColumnType::number;
    case AnswerKind::yes_no:
      return ColumnType::yes_no;
    default:
      return ColumnType::text;
  }
}

NumberedColumns line_columns(std::string_view text) {
  NumberedColumns columns;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string question = one_line(line);
    if (question.empty() || question.starts_with('#')) continue;
    std::string name = question;
    while (name.size() > 1 && name.ends_with('?')) name.pop_back();
    name = one_line(name);
    Column column{.name = name, .question = question, .type = type_of_question(question)};
    complete_column(/*typeless=*/column.type == ColumnType::text, &column);
    columns.emplace_back(number, std::move(column));
  }
  return columns;
}

}  // namespace

std::string_view type_name(ColumnType type) {
  return std::ranges::find(kTypes, type, &std::pair<std::string_view, ColumnType>::second)->first;
}

std::optional<ColumnType> type_named(std::string_view name) {
  const auto found =
      std::ranges::find(kTypes, name, &std::pair<std::string_view, ColumnType>::first);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Column> parse_columns(std::string_view text, const std::string& name) {
  const bool is_toml = lower_ascii(name).ends_with(".toml");
  NumberedColumns numbered = is_toml ? toml_columns(text, name) : line_columns(text);
  if (numbered.empty()) {
    throw Error(ErrorCode::usage, format("{}: there is no column in it; {}", name,
                                         is_toml ? "begin one with [[column]] and name = \"...\""
                                                 : "write a question a line"));
  }
  std::vector<Column> columns;
  std::set<std::string> names = {"document"};  // the head of the first column of every table
  for (auto& [line, column] : numbered) {
    if (!names.insert(fold(column.name)).second) {
      Place{.file = name, .line = line}.refuse(
          format("there is already a column \"{}\"; give this one another name", column.name));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<Column> read_columns(const std::string& path) {
  return parse_columns(read_file(path), path);
}

}  // namespace fineprint::sheet
