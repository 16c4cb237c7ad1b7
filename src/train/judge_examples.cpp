// Reads the examples that judges of pages are trained on.
#include "fineprint/train/judge_examples.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "train/json_lines.h"

namespace fineprint::train {
namespace {

// Every error shows the expected form.
[[noreturn]] void no_verdict(const std::string& where, const std::string& why) {
  throw Error(ErrorCode::input, format("{}: {}; expected {{\"query\": TEXT, \"image\": FILE, "
                                       "\"label\": {} to {}}}",
                                       where, why, kLeastMark, kMostMark));
}

std::string text_of(const Json& line, const char* key, const std::string& where) {
  if (!line.contains(key)) no_verdict(where, format("\"{}\" is missing", key));
  if (!line[key].is_string() || line[key].get_ref<const std::string&>().empty()) {
    no_verdict(where, format("\"{}\" is not a string", key));
  }
  return line[key].get<std::string>();
}

// An empty query or image is refused, too: it would be trained on as if it were one.
JudgeExample judge_example_of(const Json& line, const std::string& where) {
  if (!line.is_object()) no_verdict(where, "this is not an object");
  JudgeExample example{text_of(line, "query", where), text_of(line, "image", where)};
  if (!line.contains("label")) no_verdict(where, "\"label\" is missing");
  const Json& label = line["label"];
  if (!label.is_number_integer() || label < kLeastMark || label > kMostMark) {
    no_verdict(where, "\"label\" is not a whole number in this range");
  }
  example.label = label.get<int>();
  return example;
}

}  // namespace

std::vector<JudgeExample> read_judge_examples(const std::string& path) {
  std::vector<JudgeExample> examples;
  for_each_line(path, [&](std::string_view, const Json& line, const std::string& where) {
    examples.push_back(judge_example_of(line, where));
  });
  return examples;
}

}  // namespace fineprint::train
