// Completion in fish: a line for each command and for each flag of it.
#include <string>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "cli/command_words.h"
#include "cli/completion.h"

namespace fineprint::cli {
namespace {

constexpr std::string_view kFishHead =
    "# fish completion of fineprint, made by `fineprint completion fish`.\n"
    "# For all new shells: fineprint completion fish > "
    "~/.config/fish/completions/fineprint.fish\n\n"
    "complete -c fineprint -n __fish_use_subcommand -f\n"
    "complete -c fineprint -s h -l help -d 'show help'\n"
    "complete -c fineprint -n __fish_use_subcommand -s V -l version -d 'print the version'\n"
    "complete -c fineprint -n __fish_use_subcommand -l print-defaults "
    "-d 'print every configuration key with its default'\n";

// Quotes text for fish, where only the quote and the backslash are special in single quotes.
std::string fish_text(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "'";
}

// Returns how fish completes an argument: with -f if it is not a file.
std::string fish_value(const KnownValue& value) {
  using Files = KnownValue::Files;
  std::string words = join_texts(value.words, " ");  // as fish expects candidates
  if (value.joined && !words.empty()) words = format("(__fish_append , {})", words);
  if (value.files == Files::folders) words += "(__fish_complete_directories)";
  const char* files = value.files == Files::any ? "" : " -f";
  return words.empty() ? files : format("{} -a {}", files, fish_text(words));
}

std::string flag_line(const std::string& condition, const Flag& flag) {
  std::string line = format("complete -c fineprint -n {}", condition);
  for (const std::string& name : {flag.brief, flag.name}) {
    if (name.empty()) continue;
    const bool is_long = name.starts_with("--");
    line += format(" -{} {}", is_long ? "l" : "s", name.substr(is_long ? 2 : 1));
  }
  if (flag.takes_value) line += " -r" + fish_value(known_value(*flag.option));
  return line + format(" -d {}\n", fish_text(brief_help(*flag.option)));
}

}  // namespace

std::string fish_completion() {
  std::string script(kFishHead);
  for (const Command& command : commands()) {
    script += format("\ncomplete -c fineprint -n __fish_use_subcommand -a {} -d {}\n", command.name,
                     fish_text(command.summary));
    const std::string condition = fish_text(format("__fish_seen_subcommand_from {}", command.name));
    script +=
        format("complete -c fineprint -n {}{}\n", condition, fish_value(known_arguments(command)));
    for (const Flag& flag : flags_of(command)) script += flag_line(condition, flag);
  }
  return script;
}

}  // namespace fineprint::cli
