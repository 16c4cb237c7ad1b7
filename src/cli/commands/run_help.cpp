// `fineprint help`, `completion` and `man`: texts about the program itself. None of them reads
// settings, so they work even if a configuration file is wrong.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "cli/command_line.h"
#include "cli/command_words.h"
#include "cli/completion.h"
#include "cli/help_texts.h"
#include "cli/man_page.h"
#include "cli/nearest_name.h"
#include "cli/output.h"

namespace fineprint::cli {
namespace {

using Words = std::vector<std::string>;

void allow_words(const Words& words, std::size_t most) {
  if (words.size() <= most) return;
  throw Error(ErrorCode::usage, format("unexpected argument \"{}\"", words[most]));
}

// Suggests the nearest name; if none is near, lists all names.
[[noreturn]] void refuse_name(const std::string& name, const char* what, const Words& known) {
  const auto meant = nearest_name(name, known);
  throw Error(ErrorCode::usage,
              format("there is no {} \"{}\"; {}", what, name,
                     meant ? format("did you mean \"{}\"?", *meant)
                           : format("choose one of: {}", join_texts(known, ", "))));
}

Words schema_names() {
  Words names = {"all"};
  for (const HelpText& schema : record_schemas()) names.emplace_back(schema.name);
  return names;
}

// Returns all schemas as one JSON object, by their names.
std::string all_schemas() {
  std::string all;
  for (const HelpText& schema : record_schemas()) {
    all += format("{}\"{}\": {}", all.empty() ? "{" : ",\n", schema.name, schema.text);
  }
  return all + "}\n";
}

// "all" prints every schema in one object, for programs that validate records.
int print_schema(const std::string& name) {
  const HelpText* schema = find_text(record_schemas(), name);
  if (schema == nullptr && name != "all") refuse_name(name, "record", schema_names());
  print_piece(schema == nullptr ? all_schemas() : std::string(schema->text));
  return 0;
}

}  // namespace

int tell_help(const Words& words) {
  if (words.empty()) throw Error(ErrorCode::usage, "COMMAND or TOPIC is missing; see --help");
  const HelpText* topic = find_text(help_topics(), words.front());
  if (topic == nullptr) refuse_name(words.front(), "command or topic", help_subjects());
  const bool has_parts = topic->name == "formats";
  allow_words(words, has_parts ? 2 : 1);
  if (words.size() == 2) return print_schema(words[1]);
  print_piece(topic->text);
  return 0;
}

int tell_completion(const Words& words) {
  allow_words(words, 1);
  if (words.empty()) {
    throw Error(ErrorCode::usage, "SHELL is missing: choose bash, fish or zsh; see --help");
  }
  print_piece(completion_script(words.front()));
  return 0;
}

int tell_manual(const Words& words) {
  allow_words(words, 1);
  if (words.empty()) {
    print_piece(program_manual());
    return 0;
  }
  Words names;
  for (const Command& command : commands()) {
    names.emplace_back(command.name);
    if (command.name != words.front()) continue;
    print_piece(command_manual(command));
    return 0;
  }
  refuse_name(words.front(), "command", names);
}

}  // namespace fineprint::cli
