// Reads lists and lines record by record, so that a malformed record costs only itself.
#include "bench/datasets/sources.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "bench/datasets/source_text.h"

namespace fineprint::bench {
namespace {

// Returns the length of the JSON value at the beginning of `text`: up to its last bracket or quote,
// or to the separator before the next value. Only brackets and strings are parsed.
std::size_t value_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      // Skips the escaped character, which may be a quote.
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      // The bracket closes the list or object around the value.
      if (depth == 0) return i;
      if (--depth == 0) return i + 1;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

// A broken record becomes a problem, so that one bad line does not stop a benchmark of thousands.
void add_object(std::string_view bytes, const std::string& file, std::size_t line,
                std::vector<Source>* sources, std::vector<DataProblem>* problems) {
  const std::string text = clean_text(bytes, file, line, problems);
  try {
    Json fields = parse_json(text, "record");
    // Throws so that the problem is recorded below like that of broken JSON.
    if (!fields.is_object()) throw Error(ErrorCode::input, "not an object");
    sources->push_back({file, line, std::move(fields)});
  } catch (const Error& error) {
    problems->push_back({file, line, "", format("left out: {}", error.what())});
  }
}

// Moves the position to the value of `key` in an object, and skips the members before it.
void enter_key(SourceText* text, std::string_view key) {
  const std::string expected = format("an object with \"{}\": a list of questions", key);
  text->skip_blanks();
  if (text->peek() != '{') text->refuse(expected);
  text->take(1);
  while (true) {
    text->skip_blanks();
    if (text->peek() != '"') text->refuse(expected);
    const std::size_t end = text->rest().find('"', 1);
    if (end == std::string_view::npos) text->refuse(expected);
    const bool found = text->take(end + 1).substr(1, end - 1) == key;
    text->skip_blanks();
    if (text->peek() != ':') text->refuse(expected);
    text->take(1);
    text->skip_blanks();
    if (found) return;
    text->take(value_length(text->rest()));
    text->skip_blanks();
    if (text->peek() == ',') text->take(1);
  }
}

}  // namespace

std::vector<Source> read_json_list(const std::string& file, std::vector<DataProblem>* problems,
                                   std::string_view key) {
  SourceText text(file);
  if (!key.empty()) enter_key(&text, key);
  text.skip_blanks();
  if (text.peek() != '[') text.refuse("a list of questions, '['");
  text.take(1);
  std::vector<Source> sources;
  for (text.skip_blanks(); text.peek() != ']'; text.skip_blanks()) {
    // A download that was cut short still gives its complete records.
    if (text.at_end()) {
      problems->push_back({file, text.line(), "", "the list does not end: the file is cut short"});
      break;
    }
    const std::size_t line = text.line();
    add_object(text.take(value_length(text.rest())), file, line, &sources, problems);
    text.skip_blanks();
    if (text.peek() == ',') {
      text.take(1);
    } else if (!text.at_end() && text.peek() != ']') {
      text.refuse("',' or ']' after a record");
    }
  }
  return sources;
}

std::vector<Source> read_json_lines(const std::string& file, std::vector<DataProblem>* problems) {
  SourceText text(file);
  std::vector<Source> sources;
  while (!text.at_end()) {
    const std::size_t line = text.line();
    // The last line may have no line break.
    std::string_view bytes = text.take(std::min(text.rest().find('\n'), text.rest().size()));
    text.take(1);
    if (trim(bytes).empty()) continue;
    add_object(bytes, file, line, &sources, problems);
  }
  return sources;
}

}  // namespace fineprint::bench
