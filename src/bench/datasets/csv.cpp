// Reads tables of values row by row.
#include <algorithm>
#include <optional>

#include "fineprint/core/format.h"

#include "bench/datasets/source_text.h"
#include "bench/datasets/sources.h"

namespace fineprint::bench {
namespace {

// Takes one value, up to the separator or line end that follows it. Returns nullopt if a quote is
// not closed.
std::optional<std::string> take_value(SourceText* text, char separator) {
  std::string value;
  if (text->peek() != '"') {
    const char ends[] = {separator, '\n', '\0'};
    value = text->take(std::min(text->rest().find_first_of(ends), text->rest().size()));
    if (value.ends_with('\r')) value.pop_back();
    return value;
  }
  text->take(1);
  while (!text->at_end()) {
    const char c = text->take(1).front();
    if (c != '"') {
      value += c;
    } else if (text->peek() == '"') {
      value += text->take(1);
    } else {
      if (text->peek() == '\r') text->take(1);
      return value;
    }
  }
  return std::nullopt;
}

// Returns nullopt if the row does not end.
std::optional<std::vector<std::string>> take_row(SourceText* text, char separator) {
  std::vector<std::string> row;
  while (true) {
    std::optional<std::string> value = take_value(text, separator);
    if (!value) return std::nullopt;
    row.push_back(std::move(*value));
    if (text->peek() != separator) break;
    text->take(1);
  }
  if (!text->at_end()) text->take(1);
  return row;
}

}  // namespace

// Rows with another number of values are left out, because their values cannot be assigned to
// columns.
std::vector<Source> read_csv(const std::string& file, char separator,
                             std::vector<DataProblem>* problems) {
  SourceText text(file);
  const auto names = take_row(&text, separator);
  if (!names || names->size() < 2) text.refuse("a line with the names of the columns");
  std::vector<Source> sources;
  while (!text.at_end()) {
    const std::size_t line = text.line();
    const auto row = take_row(&text, separator);
    if (!row) {
      problems->push_back({file, line, "", "left out: a quote is not closed"});
      break;
    }
    if (row->size() == 1 && row->front().empty()) continue;
    if (row->size() != names->size()) {
      problems->push_back(
          {file, line, "",
           format("left out: {} values for {} columns", row->size(), names->size())});
      continue;
    }
    Source source{file, line, Json::object()};
    for (std::size_t i = 0; i < names->size(); ++i) {
      source.fields[(*names)[i]] = clean_text((*row)[i], file, line, problems);
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace fineprint::bench
