// Reads the examples that answering models are trained on.
#include "fineprint/train/answer_examples.h"

#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "train/json_lines.h"

namespace fineprint::train {
namespace {

// Every error shows the expected form.
[[noreturn]] void no_answer_example(const std::string& where, const std::string& why) {
  throw Error(
      ErrorCode::input,
      format("{}: {}; expected {{\"question\": TEXT, \"pages\": [PAGE, ...], \"answer\": "
             "TEXT}}, where a page is {{\"image\": FILE}} or {{\"doc\": NAME, \"page\": N}}, or "
             "\"texts\": [TEXT, ...] in place of \"pages\"",
             where, why));
}

std::string filled_text(const Json& value, const std::string& what, const std::string& where) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    no_answer_example(where, format("{} is not a text", what));
  }
  return value.get<std::string>();
}

std::string text_under(const Json& line, const char* key, const std::string& where) {
  if (!line.contains(key)) no_answer_example(where, format("\"{}\" is missing", key));
  return filled_text(line[key], format("\"{}\"", key), where);
}

ExamplePage example_page(const Json& value, const std::string& where) {
  ExamplePage page;
  if (!value.is_object()) no_answer_example(where, "a page is not an object");
  if (value.contains("image")) {
    page.image = text_under(value, "image", where);
    return page;
  }
  page.doc = text_under(value, "doc", where);
  const Json number = value.value("page", Json());
  if (!number.is_number_integer() || number < 1 || number > std::numeric_limits<int>::max()) {
    no_answer_example(where, "\"page\" is not a whole number from 1");
  }
  page.page = number.get<int>();
  return page;
}

ExampleText example_text(const Json& value, const std::string& where) {
  if (!value.is_object()) return {"", filled_text(value, "a passage", where)};
  ExampleText passage{.heading = "", .text = text_under(value, "text", where)};
  if (value.contains("heading")) passage.heading = text_under(value, "heading", where);
  return passage;
}

// A line names its pages or its passages. An empty list of passages is the closed-book question; a
// missing one is more probably a mistake.
void read_shown(const Json& line, const std::string& where, AnswerExample* example) {
  if (!line.contains("texts")) {
    const Json pages = line.value("pages", Json());
    if (!pages.is_array() || pages.empty()) {
      no_answer_example(where, "\"pages\" is not a list of pages");
    }
    for (const Json& page : pages) example->pages.push_back(example_page(page, where));
    return;
  }
  if (line.contains("pages")) no_answer_example(where, "it has both \"pages\" and \"texts\"");
  if (!line["texts"].is_array()) no_answer_example(where, "\"texts\" is not a list of passages");
  for (const Json& text : line["texts"]) example->texts.push_back(example_text(text, where));
}

// Of several answers the first is learned, as in VDocRAG's code: a loss needs one text.
std::string answer_under(const Json& line, const std::string& where) {
  if (line.contains("answer") || !line.contains("answers")) {
    return text_under(line, "answer", where);
  }
  const Json& all = line["answers"];
  if (!all.is_array() || all.empty()) {
    no_answer_example(where, "\"answers\" is not a list of texts");
  }
  return filled_text(all.front(), "the first of \"answers\"", where);
}

AnswerExample answer_example_of(const Json& line, const std::string& where) {
  if (!line.is_object()) no_answer_example(where, "this is not an object");
  AnswerExample example;
  example.question = text_under(line, "question", where);
  read_shown(line, where, &example);
  example.answer = answer_under(line, where);
  return example;
}

}  // namespace

std::string name_of(const ExamplePage& page) {
  return page.image.empty() ? format("{}:{}", page.doc, page.page) : page.image;
}

std::vector<AnswerExample> read_answer_examples(const std::string& path) {
  std::vector<AnswerExample> examples;
  for_each_line(path, [&](std::string_view, const Json& line, const std::string& where) {
    examples.push_back(answer_example_of(line, where));
  });
  return examples;
}

}  // namespace fineprint::train
