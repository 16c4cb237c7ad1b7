// Reads lists, lines and tables record by record, so that one that is malformed costs itself alone.
#include "bench/datasets/sources.h"

#include <algorithm>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::bench {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of byte order

// The file's text, of which a piece is taken after the other; knows the line.
class SourceText {
 public:
  explicit SourceText(const std::string& file) : file_(file), text_(read_file(file)) {
    if (text_.starts_with(kMark)) at_ = kMark.size();
  }

  const std::string& file() const { return file_; }
  std::size_t line() const { return line_; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view rest() const { return std::string_view(text_).substr(at_); }

  std::string_view take(std::size_t count) {
    const std::string_view piece = rest().substr(0, count);
    line_ += static_cast<std::size_t>(std::ranges::count(piece, '\n'));
    at_ += piece.size();
    return piece;
  }
  void skip_blanks() {
    while (!at_end() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos) {
      take(1);
    }
  }

 private:
  std::string file_, text_;
  std::size_t at_ = 0, line_ = 1;
};

// Where the JSON value ends that `text` begins with: behind its last bracket or quote, or before
// what separates it from the next. Looks at brackets and strings only.
std::size_t value_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
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
      if (depth == 0) return i;
      if (--depth == 0) return i + 1;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

// Text in UTF-8, as it is or with what is wrong replaced.
std::string clean_text(std::string_view bytes, const std::string& file, std::size_t line,
                       std::vector<DataProblem>* problems) {
  std::string text = valid_utf8(bytes);
  if (text != bytes) {
    problems->push_back({file, line, "", "not UTF-8: the bytes that are none are read as U+FFFD"});
  }
  return text;
}

void add_object(std::string_view bytes, const std::string& file, std::size_t line,
                std::vector<Source>* sources, std::vector<DataProblem>* problems) {
  const std::string text = clean_text(bytes, file, line, problems);
  try {
    Json fields = parse_json(text, "record");
    if (!fields.is_object()) throw Error(ErrorCode::input, "not an object");
    sources->push_back({file, line, std::move(fields)});
  } catch (const Error& error) {
    problems->push_back({file, line, "", format("left out: {}", error.what())});
  }
}

[[noreturn]] void refuse_form(const SourceText& text, std::string_view expected) {
  throw Error(ErrorCode::input, format("{}:{}: expected {}", text.file(), text.line(), expected));
}

// Moves behind `"key":` of an object, over what stands before.
void enter_key(SourceText* text, std::string_view key) {
  const std::string expected = format("an object with \"{}\": a list of questions", key);
  text->skip_blanks();
  if (text->peek() != '{') refuse_form(*text, expected);
  text->take(1);
  while (true) {
    text->skip_blanks();
    if (text->peek() != '"') refuse_form(*text, expected);
    const std::size_t end = text->rest().find('"', 1);
    if (end == std::string_view::npos) refuse_form(*text, expected);
    const bool found = text->take(end + 1).substr(1, end - 1) == key;
    text->skip_blanks();
    if (text->peek() != ':') refuse_form(*text, expected);
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
  if (text.peek() != '[') refuse_form(text, "a list of questions, '['");
  text.take(1);
  std::vector<Source> sources;
  for (text.skip_blanks(); text.peek() != ']'; text.skip_blanks()) {
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
      refuse_form(text, "',' or ']' behind a record");
    }
  }
  return sources;
}

std::vector<Source> read_json_lines(const std::string& file, std::vector<DataProblem>* problems) {
  SourceText text(file);
  std::vector<Source> sources;
  while (!text.at_end()) {
    const std::size_t line = text.line();
    std::string_view bytes = text.take(std::min(text.rest().find('\n'), text.rest().size()));
    text.take(1);
    if (bytes.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    add_object(bytes, file, line, &sources, problems);
  }
  return sources;
}

namespace {

// One value; stops before the separator or line end behind it. nullopt: a quote is not closed.
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

// nullopt: the row does not end.
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

std::vector<Source> read_csv(const std::string& file, char separator,
                             std::vector<DataProblem>* problems) {
  SourceText text(file);
  const auto names = take_row(&text, separator);
  if (!names || names->size() < 2) refuse_form(text, "a line of names of columns");
  std::vector<Source> sources;
  while (!text.at_end()) {
    const std::size_t line = text.line();
    const auto row = take_row(&text, separator);
    if (!row) {
      problems->push_back({file, line, "", "left out: a quote is opened and never closed"});
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
