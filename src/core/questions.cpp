// Questions read from JSON Lines.
#include <iostream>
#include <iterator>
#include <unordered_map>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/records.h"

#include "core/record_json.h"

namespace fineprint {
namespace {

// Takes the field out of the object, so that what remains is what passes through.
std::optional<Json> take(Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  Json value = std::move(*found);
  object.erase(found);
  if (value.is_null()) return std::nullopt;
  return value;
}

std::string take_id(Json& object) {
  std::optional<Json> id = take(object, "id");
  if (!id) id = take(object, "custom_id");
  if (!id) record::throw_field("id", "is missing");
  std::string text = id->is_number() ? dump_json(*id) : record::to_string(*id, "id");
  if (text.empty()) record::throw_field("id", "is empty");
  return text;
}

std::vector<std::string> to_docs(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) record::throw_field("doc", "must be a string or a list of strings");
  std::vector<std::string> docs;
  for (const Json& doc : value) docs.push_back(record::to_string(doc, "doc"));
  return docs;
}

std::vector<PageRef> to_evidence(const Json& value, const std::vector<std::string>& docs) {
  constexpr const char* kName = "evidence_pages";
  std::vector<PageRef> pages;
  for (const Json& page : record::to_array(value, kName)) {
    if (page.is_object()) {
      pages.push_back(record::to_page_ref(page, kName));
      continue;
    }
    if (docs.size() > 1) {
      record::throw_field(kName, R"(must say {"doc","page"} when 'doc' lists several)");
    }
    pages.push_back({docs.empty() ? "" : docs.front(), record::to_page(page, kName)});
  }
  return pages;
}

std::string read_all(const std::string& path) {
  if (path != "-") return read_file(path);
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

}  // namespace

Question parse_question(std::string_view json_line) {
  Json object = record::parse_object(json_line);
  Question question;
  question.id = take_id(object);
  question.text = record::to_string(record::need(object, "question"), "question");
  object.erase("question");
  if (const auto docs = take(object, "doc")) question.docs = to_docs(*docs);
  if (const auto answer = take(object, "answer")) {
    question.answer = answer->is_string() ? answer->get<std::string>() : dump_json(*answer);
  }
  if (const auto kind = take(object, "answer_format")) {
    question.answer_format = record::to_string(*kind, "answer_format");
  }
  if (const auto evidence = take(object, "evidence_pages")) {
    question.evidence = to_evidence(*evidence, question.docs);
  }
  question.extra_json = dump_json(object);
  return question;
}

std::vector<Question> read_questions(const std::string& path) {
  return parse_questions(read_all(path), path == "-" ? "standard input" : path);
}

std::vector<Question> parse_questions(std::string_view text, const std::string& name) {
  std::vector<Question> questions;
  std::unordered_map<std::string, std::size_t> line_of_id;
  std::size_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      questions.push_back(parse_question(line));
    } catch (const Error& error) {
      throw Error(error.code(), format("{}:{}: {}", name, line_number, error.what()));
    }
    const auto [first, is_new] = line_of_id.emplace(questions.back().id, line_number);
    if (!is_new) {
      throw Error(ErrorCode::input, format("{}:{}: id '{}' was used already on line {}", name,
                                           line_number, first->first, first->second));
    }
  }
  return questions;
}

}  // namespace fineprint
