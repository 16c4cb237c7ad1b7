// Asks for the cells of a table.
#include "fineprint/answering/table_cells.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/option.h"
#include "fineprint/core/text.h"
#include "fineprint/pipelines/named_value.h"
#include "fineprint/text/answer_kind.h"

namespace fineprint::answering {
namespace {

using sheet::Column;
using sheet::ColumnType;

pipelines::ValueForm as_value_form(sheet::Form form) {
  switch (form) {
    case sheet::Form::clear:
      return pipelines::ValueForm::clear;
    case sheet::Form::plain:
      return pipelines::ValueForm::plain;
    case sheet::Form::none:
      break;
  }
  return pipelines::ValueForm::none;
}

// What a generator is asked to write, so that its reply can be read as a value of the type.
std::string type_request(const Column& column) {
  switch (column.type) {
    case ColumnType::text:
      return "Answer with the words of the document only.";
    case ColumnType::number:
      return column.unit.empty() ? "Answer with one number and its unit."
                                 : format("Answer with one number in {}.", column.unit);
    case ColumnType::money:
      return column.unit.empty() ? "Answer with one amount and its currency."
                                 : format("Answer with one amount in {}.", column.unit);
    case ColumnType::date:
      return "Answer with one date, as year-month-day.";
    case ColumnType::yes_no:
      return "Answer with yes or no.";
    case ColumnType::one_of:
      break;
  }
  return format("Answer with one of: {}.", join_texts(column.choices, "; "));
}

pipelines::NamedDemand demand_of(const Column& column, const std::vector<Column>& columns) {
  pipelines::NamedDemand demand{.labels = column.labels,
                                .other_labels = sheet::known_labels(),
                                .is_text = column.type == ColumnType::text,
                                .is_amount = column.type == ColumnType::money};
  for (const Column& other : columns) {
    demand.other_labels.insert(demand.other_labels.end(), other.labels.begin(), other.labels.end());
  }
  demand.form = [&column](std::string_view printed, std::string_view language) {
    return as_value_form(sheet::form_of(column, printed, language));
  };
  demand.same = [&column](std::string_view printed, std::string_view language) {
    const auto value = sheet::typed_value(column, printed, language);
    return value ? value->text + " " + value->unit : std::string(printed);
  };
  return demand;
}

// A currency or unit of another kind than the column's makes a number another one.
bool names_other_currency(const Column& column, const std::string& words) {
  if (column.type != ColumnType::money || column.unit.empty()) return false;
  std::string token;
  for (const char c : words + " ") {
    const bool is_part = c < 0 || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '$';
    if (is_part) {
      token += c;
      continue;
    }
    const std::string code = sheet::currency_code(token);
    if (!code.empty() && code != column.unit && code != "$") return true;
    token.clear();
  }
  return false;
}

// Returns the value of an answer in words: all of it, or the only number in it ("$1.2 million").
std::optional<sheet::TypedValue> value_of_answer(const Column& column, const Answer& answer,
                                                 const std::string& language) {
  std::string words(trim(answer.answer));
  while (words.ends_with('.') && column.type != ColumnType::text) words.pop_back();
  if (auto value = sheet::typed_value(column, words, language)) return value;
  const bool is_money = column.type == ColumnType::money;
  if ((!is_money && column.type != ColumnType::number) || names_other_currency(column, words)) {
    return std::nullopt;
  }
  if (!is_money && !column.unit.empty()) return std::nullopt;
  const auto kind = is_money ? text::AnswerKind::money : text::AnswerKind::number;
  const std::vector<text::Value> values = text::find_values(words, kind, language);
  constexpr std::size_t kMostWords = 4;  // "about USD 1.2 million"
  if (values.size() != 1 || count_spaced_words(words) > kMostWords) return std::nullopt;
  return sheet::TypedValue{.text = number_text(values.front().number)};
}

// Without a generator, an answer that is all of its quote is a place to look at, and no value,
// unless it is a sentence.
bool is_only_a_quote(const Answer& answer) {
  return answer.generator.empty() && !answer.citations.empty() &&
         answer.citations.front().quote == answer.answer && !answer.answer.ends_with('.');
}

}  // namespace

TableCells::TableCells(const Answering& answering, bool has_generator,
                       const std::vector<Column>& columns, const session::Session& session)
    : answering_(answering), has_generator_(has_generator), columns_(columns), session_(session) {}

std::string TableCells::asked_text(const Column& column) const {
  if (!has_generator_) return column.question;
  std::string text = column.question + " " + type_request(column);
  if (column.labels != std::vector{column.name}) {
    text += format(" Documents print it as: {}.", join_texts(column.labels, "; "));
  }
  return text;
}

Question TableCells::question(DocumentId document, const Column& column) const {
  const store::DocumentRow& row = session_.corpus().documents()[document.value].row;
  Question question;
  question.text = asked_text(column);
  question.docs = {row.path.empty() ? row.doc : row.path};
  const Json asks = {question.text,  sheet::type_name(column.type),
                     column.unit,    column.labels,
                     column.choices, column.day_first ? Json(*column.day_first) : Json()};
  question.id = question_id(dump_json(asks), {row.doc, row.hash});
  return question;
}

std::vector<Question> TableCells::questions(const session::Pool& documents) {
  std::vector<Question> all;
  for (const DocumentId document : documents) {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      Question one = question(document, columns_[column]);
      // Two columns that ask the same share their answer.
      const bool is_new =
          asked_.try_emplace(one.id, Asked{.document = document, .column = column}).second;
      if (is_new) all.push_back(std::move(one));
    }
  }
  return all;
}

TableCells::DocumentPages TableCells::pages_of(DocumentId document) const {
  const std::lock_guard lock(mutex_);
  if (read_last_.second == nullptr || read_last_.first != document) {
    const session::Corpus& corpus = session_.corpus();
    std::vector<Page> pages;
    for (int number = 1; number <= corpus.documents()[document.value].row.page_count; ++number) {
      pages.push_back(corpus.page(corpus.page_number(document, number)));
    }
    read_last_ = {document, std::make_shared<const std::vector<Page>>(std::move(pages))};
  }
  return read_last_.second;
}

Answer TableCells::answer(const Question& question) const {
  if (has_generator_) return answering_.answer(session_, question);
  const auto start = std::chrono::steady_clock::now();
  const Asked& asked = asked_.at(question.id);
  const std::string& doc = session_.corpus().documents()[asked.document.value].row.doc;
  const auto named = pipelines::named_value(*pages_of(asked.document), doc,
                                            demand_of(columns_[asked.column], columns_));
  if (!named) return answering_.answer(session_, question);
  Answer answer;
  answer.id = question.id;
  answer.question = question.text;
  answer.answer = named->printed;
  answer.answerable = true;
  answer.confidence = named->confidence;
  answer.citations = {named->proof};
  answer.pipeline = "labels";
  answer.usage.ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

sheet::Cell TableCells::cell(const Answer& answer, const Column& column, double sure) const {
  if (answer.error) return {.problem = answer.error->message};
  if (!answer.answerable || answer.confidence < sure || answer.citations.empty()) return {};
  if (is_only_a_quote(answer)) return {};
  const Citation& proof = answer.citations.front();
  const session::Corpus& corpus = session_.corpus();
  const auto document = corpus.document_named(proof.page.doc);
  const std::string language =
      document ? corpus.page(corpus.page_number(*document, proof.page.page)).language : "";
  std::optional<sheet::TypedValue> value = value_of_answer(column, answer, language);
  if (!value) return {};
  return {.value = std::move(value),
          .printed = answer.answer,
          .proof = proof,
          .confidence = answer.confidence};
}

sheet::Sheet TableCells::table(const session::Pool& documents, const std::vector<Answer>& answers,
                               double sure) const {
  std::map<std::string, const Answer*> by_id;
  for (const Answer& answer : answers) by_id[answer.id] = &answer;
  sheet::Sheet table{.columns = columns_, .rows = {}};
  for (const DocumentId document : documents) {
    const store::DocumentRow& row = session_.corpus().documents()[document.value].row;
    sheet::Row& to = table.rows.emplace_back();
    to.doc = row.doc;
    to.path = row.path;
    for (const Column& column : columns_) {
      const auto found = by_id.find(question(document, column).id);
      to.cells.push_back(found == by_id.end() ? sheet::Cell{} : cell(*found->second, column, sure));
    }
  }
  return table;
}

}  // namespace fineprint::answering
