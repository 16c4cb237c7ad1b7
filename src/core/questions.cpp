// Reads questions from JSON Lines, or from lines of plain text.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <unordered_map>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/records.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

#include "core/record_json.h"

namespace fineprint {
namespace {

// Removes the field from the object and returns it. The fields that remain pass through unchanged.
std::optional<Json> take_field(Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  Json value = std::move(*found);
  object.erase(found);
  if (value.is_null()) return std::nullopt;
  return value;
}

// Returns the record's id; empty if it has none. "custom_id" is the name in OpenAI's batch files.
std::string take_id(Json& object) {
  std::optional<Json> id = take_field(object, "id");
  if (!id) id = take_field(object, "custom_id");
  if (!id) return {};
  // Ids that are numbers keep the digits that the file has.
  std::string text = id->is_number() ? dump_json(*id) : record::to_string(*id, "id");
  if (text.empty()) record::throw_field("id", "must not be empty");
  return text;
}

std::vector<std::string> to_texts(const Json& value, const char* name) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) record::throw_field(name, "must be a string or a list of strings");
  std::vector<std::string> texts;
  for (const Json& text : value) texts.push_back(record::to_string(text, name));
  return texts;
}

std::vector<PageRef> to_evidence(const Json& value, const std::vector<std::string>& docs) {
  constexpr const char* kName = "evidence_pages";
  std::vector<PageRef> pages;
  for (const Json& page : record::to_array(value, kName)) {
    if (page.is_object()) {
      pages.push_back(record::to_page_ref(page, kName));
      continue;
    }
    // A plain page number is clear only if there is one document.
    if (docs.size() > 1) {
      record::throw_field(kName, "must hold objects with doc and page if 'doc' lists several");
    }
    pages.push_back({docs.empty() ? "" : docs.front(), record::to_page(page, kName)});
  }
  return pages;
}

std::string read_all(const std::string& path) {
  // Windows editors put this mark at the start of a UTF-8 file.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string text =
      path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : read_file(path);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

// Returns true if the first line that is not blank looks like JSON. A file without any text counts
// as JSON, because either reader finds no question in it.
bool holds_records(std::string_view text) {
  const std::string_view inside = trim(text);
  return inside.empty() || inside.front() == '{' || inside.front() == '[';
}

Question question_of_words(std::string_view line) {
  // Catches PDFs and other binary files that are given by mistake.
  const bool is_text = valid_utf8(line) == line && std::ranges::none_of(line, [](unsigned char c) {
                         return c < ' ' && c != '\t';
                       });
  if (!is_text) {
    throw Error(ErrorCode::input,
                "the line is not text in UTF-8; expected a question or a JSON record");
  }
  Question question;
  question.text = line;
  question.id = question_id(question.text);
  question.extra_json = "{}";
  return question;
}

std::vector<Question> parse_lines(std::string_view text, const std::string& name,
                                  const std::function<Question(std::string_view)>& parse) {
  std::vector<Question> questions;
  std::unordered_map<std::string, std::size_t> line_of_id;
  std::size_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(text.substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (line.empty()) continue;
    try {
      questions.push_back(parse(line));
    } catch (const Error& error) {
      // The parser does not know the file and line, so they are added here.
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

}  // namespace

std::string question_id(std::string_view text, const std::vector<std::string>& docs) {
  std::string whole(text);
  for (const std::string& doc : docs) whole += "\n" + doc;
  return content_hash(whole).substr(0, 16);
}

bool is_unanswerable(const Question& question) {
  return question.answer_format == "None" ||
         (question.answer && *question.answer == kNotAnswerable);
}

Question parse_question(std::string_view json_line) {
  Json object = record::parse_object(json_line);
  Question question;
  question.id = take_id(object);
  question.text = record::to_string(record::need(object, "question"), "question");
  object.erase("question");
  // The server's requests call it "docs".
  for (const char* name : {"doc", "docs"}) {
    const auto docs = take_field(object, name);
    if (!docs) continue;
    if (!question.docs.empty()) {
      throw Error(ErrorCode::input, "the question has both `doc` and `docs`; give one of them");
    }
    question.docs = to_texts(*docs, name);
  }
  if (const auto images = take_field(object, "images")) {
    question.images = to_texts(*images, "images");
  }
  if (const auto answer = take_field(object, "answer")) {
    question.answer = answer->is_string() ? answer->get<std::string>() : dump_json(*answer);
  }
  if (const auto kind = take_field(object, "answer_format")) {
    question.answer_format = record::to_string(*kind, "answer_format");
  }
  if (const auto evidence = take_field(object, "evidence_pages")) {
    question.evidence = to_evidence(*evidence, question.docs);
  }
  if (question.id.empty()) {
    std::vector<std::string> parts = question.docs;
    parts.insert(parts.end(), question.images.begin(), question.images.end());
    question.id = question_id(question.text, parts);
  }
  question.extra_json = dump_json(object);
  return question;
}

std::vector<Question> read_questions(const std::string& path) {
  const std::string text = read_all(path);
  const std::string name = path == "-" ? "standard input" : path;
  if (!holds_records(text)) return parse_lines(text, name, question_of_words);
  std::vector<Question> questions = parse_questions(text, name);
  if (path != "-") {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (Question& question : questions) {
      for (std::string& image : question.images) image = (folder / image).string();
    }
  }
  return questions;
}

std::vector<Question> parse_questions(std::string_view text, const std::string& name) {
  return parse_lines(text, name, parse_question);
}

}  // namespace fineprint
