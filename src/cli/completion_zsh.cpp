// Completion in zsh: the specifications of _arguments, a function for each command.
#include <string>
#include <vector>

#include "fineprint/core/format.h"

#include "cli/command_words.h"
#include "cli/completion.h"

namespace fineprint::cli {
namespace {

constexpr std::string_view kZshHead =
    "#compdef fineprint\n"
    "# zsh completion of fineprint, made by `fineprint completion zsh`.\n"
    "# Save it as _fineprint in a folder of $fpath, or for this shell: "
    "source <(fineprint completion zsh)\n\n";

constexpr std::string_view kZshFunction = R"(
_fineprint() {
  local curcontext=$curcontext state line
  _arguments -C \
    '(- *)'{-h,--help}'[show help]' \
    '(- *)'{-V,--version}'[print the version]' \
    '(- *)--print-defaults[print every configuration key with its default]' \
    '1: :_fineprint_commands' \
    '*:: :->arguments'
  [[ $state == arguments ]] || return
  curcontext=${curcontext%:*:*}:fineprint-$words[1]:
  (( $+functions[_fineprint-$words[1]] )) && _fineprint-$words[1]
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _fineprint "$@"
else
  compdef _fineprint fineprint
fi
)";

// Escapes text for single quotes.
std::string zsh_text(std::string_view text) {
  std::string quoted;
  for (const char letter : text) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted;
}

// Escapes text that appears in brackets or before a colon.
std::string zsh_label(std::string_view text) {
  std::string label;
  for (const char letter : text) {
    if (std::string_view("[]:\\").find(letter) != std::string_view::npos) label += '\\';
    label += letter;
  }
  return zsh_text(label);
}

// Returns the action of a specification: the values that are offered.
std::string zsh_action(const KnownValue& value) {
  using Files = KnownValue::Files;
  std::string words;
  for (const std::string& word : value.words) words += (words.empty() ? "" : " ") + word;
  const char* files = value.files == Files::any       ? "_files"
                      : value.files == Files::folders ? "_files -/"
                                                      : "";
  if (words.empty()) return files;
  if (value.joined) return format("_sequence compadd - {}", words);
  if (value.files == Files::none) return format("({})", words);
  return format("{{_alternative \"words:word:({})\" \"files:file:{}\"}}", words, files);
}

// Returns the specification of one flag. A flag that may be given once excludes itself, and "*"
// allows repetition.
std::string flag_spec(const Flag& flag) {
  const std::string help = format("[{}]", zsh_label(brief_help(*flag.option)));
  std::string value;
  if (flag.takes_value) {
    value = format(":{}:{}", zsh_label(flag.option->facts.value),
                   zsh_text(zsh_action(known_value(*flag.option))));
  }
  const bool is_long = flag.name.starts_with("--");
  const std::string name = flag.name + (flag.takes_value && is_long ? "=" : "");
  const std::string others = flag.repeats         ? "*"
                             : flag.brief.empty() ? ""
                                                  : format("({} {})", flag.brief, flag.name);
  const std::string names = flag.brief.empty() ? name : format("'{{{},{}}}'", flag.brief, name);
  return format("'{}{}{}{}'", others, names, help, value);
}

// Writes the function that completes one command.
std::string command_function(const Command& command) {
  std::string text = format("_fineprint-{}() {{\n  _arguments -s", command.name);
  for (const Flag& flag : flags_of(command)) text += " \\\n    " + flag_spec(flag);
  text += " \\\n    '(- *)'{-h,--help}'[show help]'";
  if (!command.arguments.empty()) {
    const std::string action = zsh_action(known_arguments(command));
    text += format(" \\\n    '*:{}:{}'", zsh_label(command.arguments), zsh_text(action));
  }
  return text + "\n}\n\n";
}

// Writes the function that offers the commands with their summaries.
std::string commands_function() {
  std::string text = "_fineprint_commands() {\n  local -a commands=(\n";
  for (const Command& command : commands()) {
    text += format("    '{}:{}'\n", command.name, zsh_text(command.summary));
  }
  return text + "  )\n  _describe command commands\n}\n";
}

}  // namespace

std::string zsh_completion() {
  std::string script(kZshHead);
  for (const Command& command : commands()) script += command_function(command);
  return script + commands_function() + std::string(kZshFunction);
}

}  // namespace fineprint::cli
