// Reads the examples that retrievers are trained on.
#include "fineprint/train/examples.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "train/json_lines.h"

namespace fineprint::train {
namespace {

// Every error shows the expected form, because these files are written by hand or by scripts.
[[noreturn]] void no_example(const std::string& where, const std::string& why) {
  throw Error(
      ErrorCode::input,
      format("{}: {}; expected {{\"query\": TEXT, \"positive\": PASSAGE or [PASSAGE, ...], "
             "\"negatives\": [PASSAGE, ...]}}, where a passage is a string or {{\"image\": FILE}}",
             where, why));
}

Passage passage_of(const Json& value, const std::string& key, const std::string& where) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
    return {value.get<std::string>(), false};
  }
  if (value.is_object() && value.size() == 1 && value.contains("image") &&
      value["image"].is_string()) {
    return {value["image"].get<std::string>(), true};
  }
  no_example(where, format("\"{}\" is not a passage", key));
}

// The losses compare a query with passages of one kind in each epoch, and negatives are mined by
// the kind of the positive.
std::vector<Passage> positives_of(const Json& value, const std::string& where) {
  if (!value.is_array()) return {passage_of(value, "positive", where)};
  std::vector<Passage> positives;
  for (const Json& one : value) positives.push_back(passage_of(one, "positive", where));
  if (positives.empty()) no_example(where, "\"positive\" is an empty list");
  for (const Passage& one : positives) {
    if (one.is_image != positives.front().is_image) {
      no_example(where, "\"positive\" has both texts and pictures");
    }
  }
  return positives;
}

Example example_of(const Json& line, const std::string& where) {
  if (!line.is_object()) no_example(where, "this is not an object");
  for (const char* key : {"query", "positive"}) {
    if (!line.contains(key)) no_example(where, format("\"{}\" is missing", key));
  }
  if (!line["query"].is_string() || line["query"].get_ref<const std::string&>().empty()) {
    no_example(where, "\"query\" is not a string");
  }
  Example example{line["query"].get<std::string>(), positives_of(line["positive"], where), {}};
  if (!line.contains("negatives")) return example;
  if (!line["negatives"].is_array()) no_example(where, "\"negatives\" is not a list");
  for (const Json& negative : line["negatives"]) {
    example.negatives.push_back(passage_of(negative, "negatives", where));
  }
  return example;
}

}  // namespace

// Source: VDocRAG's training, where the relevant pages of a question also rotate.
const Passage& positive_in_epoch(const Example& example, long epoch) {
  return example.positives[static_cast<std::size_t>(epoch) % example.positives.size()];
}

void for_each_example(const std::string& path,
                      const std::function<void(std::string_view line, Example)>& use) {
  for_each_line(path, [&](std::string_view line, const Json& value, const std::string& where) {
    use(line, example_of(value, where));
  });
}

std::vector<Example> read_examples(const std::string& path) {
  std::vector<Example> examples;
  for_each_example(
      path, [&](std::string_view, Example example) { examples.push_back(std::move(example)); });
  return examples;
}

}  // namespace fineprint::train
