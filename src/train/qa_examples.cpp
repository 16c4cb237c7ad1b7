// Reads the examples that QA models are trained on.
#include "train/qa_examples.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/evidence/examples.h"

namespace fineprint::train {
namespace {

using models::QaOperator;
using models::QaPassage;

// One line, and the errors about it.
class LineReader {
 public:
  LineReader(std::string_view text, std::string where)
      : text_(text), where_(std::move(where)), line_(parse_json(text, where_)) {}

  QaExample read() const {
    // Question and passages have the form of `fineprint read`, so one function reads them for both.
    evidence::Example asked = evidence::example_of(text_, where_, 0);
    QaExample example = {std::move(asked.question), std::move(asked.passages), {}, {}};
    // A line without answers is allowed: it teaches the model to abstain. A line without passages
    // teaches nothing.
    if (example.passages.empty()) fail("\"passages\" is empty");
    for (const Json& answer : list_of(line_, "answers")) {
      example.answers.push_back(answer_of(answer, example.passages));
    }
    if (line_.contains("scale") && !line_["scale"].is_null()) {
      example.scale = named<models::QaScale>(models::kQaScaleNames, line_, "scale");
    }
    return example;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCode::input,
                format("{}: {}; expected {{\"question\": TEXT, \"passages\": [...], \"answers\": "
                       "[...]}} as described in src/train/README.md",
                       where_, why));
  }

  // Throws Error(input) if the key is missing or not a string.
  std::string text_of(const Json& from, const char* key) const {
    if (!from.contains(key) || !from[key].is_string()) fail(format("\"{}\" is not a string", key));
    return from[key].get<std::string>();
  }

  const Json& list_of(const Json& from, const char* key) const {
    if (!from.contains(key) || !from[key].is_array()) fail(format("\"{}\" is not a list", key));
    return from[key];
  }

  std::int64_t whole_number(const Json& value, const char* what, std::int64_t most) const {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
        value.get<std::int64_t>() > most) {
      fail(format("{} is not a whole number from 0 to {}", what, most));
    }
    return value.get<std::int64_t>();
  }

  template <class Enum, std::size_t N>
  // Enumerators are in the order of the names.
  Enum named(const std::array<std::string_view, N>& names, const Json& from,
             const char* key) const {
    const std::string name = text_of(from, key);
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) fail(format("\"{}\" has the unknown value \"{}\"", key, name));
    return static_cast<Enum>(found - names.begin());
  }

  QaAnswer answer_of(const Json& value, const std::vector<QaPassage>& passages) const {
    if (!value.is_object()) fail("an answer is not an object");
    QaAnswer answer;
    if (!value.contains("passage")) fail("an answer has no \"passage\"");
    answer.passage = static_cast<std::size_t>(
        whole_number(value["passage"], "\"passage\"", std::ssize(passages) - 1));
    answer.by = named<QaOperator>(models::kQaOperatorNames, value, "operator");
    const QaPassage& passage = passages[answer.passage];
    if (value.contains("spans")) add_spans(value, passage, &answer);
    if (value.contains("cells")) add_cells(value, passage, &answer);
    if (value.contains("count")) {
      if (!value["count"].is_number()) fail("\"count\" is not a number");
      answer.count = value["count"].get<double>();
    }
    check_parts(answer);
    return answer;
  }

  void add_spans(const Json& value, const QaPassage& passage, QaAnswer* answer) const {
    for (const Json& span : list_of(value, "spans")) {
      if (!span.is_array() || span.size() != 2) fail("a span is not a pair");
      const auto size = std::ssize(passage.text);
      const auto begin = whole_number(span[0], "a span's begin", size);
      const auto end = whole_number(span[1], "a span's end", size);
      // The text has at least one byte, because a model cannot point at nothing.
      if (begin >= end) fail(format("the span [{}, {}] is empty", begin, end));
      answer->spans.emplace_back(begin, end);
    }
  }

  void add_cells(const Json& value, const QaPassage& passage, QaAnswer* answer) const {
    for (const Json& cell : list_of(value, "cells")) {
      if (!cell.is_array() || cell.size() != 2) fail("a cell is not a pair [row, column]");
      // The row is checked first, because rows may differ in their number of columns.
      const auto row = whole_number(cell[0], "a cell's row", std::ssize(passage.rows) - 1);
      const auto column = whole_number(cell[1], "a cell's column",
                                       std::ssize(passage.rows[static_cast<std::size_t>(row)]) - 1);
      answer->cells.emplace_back(static_cast<int>(row), static_cast<int>(column));
    }
  }

  // Checks how many spans and cells each operator needs.
  void check_parts(const QaAnswer& answer) const {
    const std::size_t parts = answer.spans.size() + answer.cells.size();
    const auto want = [&](bool fits, const char* what) {
      if (!fits) {
        fail(format("\"{}\" needs {}, but has {} spans and cells",
                    models::kQaOperatorNames[static_cast<std::size_t>(answer.by)], what, parts));
      }
    };
    switch (answer.by) {
      case QaOperator::span:
        return want(parts == 1, "one span or cell");
      case QaOperator::spans:
        return want(parts >= 2, "two or more");
      case QaOperator::count:
        return want(parts >= 1 || answer.count, "some, or \"count\"");
      case QaOperator::sum:
      case QaOperator::average:
        return want(parts >= 1, "one or more");
      case QaOperator::difference:
      case QaOperator::ratio:
      case QaOperator::change:
        return want(parts == 2, "a pair");
      case QaOperator::yes:
      case QaOperator::no:
        return want(parts == 0, "none");
    }
  }

  std::string_view text_;
  std::string where_;
  Json line_;
};

}  // namespace

// Every line is parsed once now, so that a mistake is found before the training begins.
QaExamples::QaExamples(const std::string& path) : path_(path), text_(read_file(path)) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const Line line = {begin, end - begin, ++number};
    begin = end + 1;
    const std::string_view text = std::string_view(text_).substr(line.begin, line.length);
    if (trim(text).empty()) continue;
    lines_.push_back(line);
    at(lines_.size() - 1);
  }
  if (lines_.empty()) throw Error(ErrorCode::input, format("{}: contains no examples", path));
}

QaExample QaExamples::at(std::size_t i) const {
  const Line& line = lines_[i];
  // Parsed again for each use, because the parsed examples of a large file would take many times
  // the memory of its text.
  const std::string where = format("{}, line {}", path_, line.number);
  return LineReader(std::string_view(text_).substr(line.begin, line.length), where).read();
}

}  // namespace fineprint::train
