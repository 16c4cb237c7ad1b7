// Completion in bash: tables of words as `case` statements, and a function that looks them up.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "cli/command_words.h"
#include "cli/completion.h"

namespace fineprint::cli {
namespace {

constexpr std::string_view kBashHead =
    R"(# bash completion of fineprint, made by `fineprint completion bash`.
# For this shell: source <(fineprint completion bash)
# For all new shells: fineprint completion bash > ~/.local/share/bash-completion/completions/fineprint

)";

// The current word may contain '=' and ':', at which bash splits words. Offered words must
// begin after the last of these.
constexpr std::string_view kBashFunction = R"(
# Offers the words that begin with $1, each with $2 before it.
_fineprint_offer() {
  local begin=$1 before=$2 word
  shift 2
  for word; do
    [[ $word == "$begin"* ]] && COMPREPLY+=("$before$word")
  done
}

_fineprint_files() {
  local found
  compopt -o filenames 2>/dev/null
  mapfile -t found < <(compgen "-$2" -- "$1")
  COMPREPLY+=("${found[@]}")
}

# Offers the values of a `value` or an `argument` ($2) of command $3, flag $4, that begin with $1.
_fineprint_known() {
  local current=$1 words=() joined= files=
  "_fineprint_$2" "${@:3}"
  if [[ $joined && $current == *,* ]]; then
    _fineprint_offer "${current##*,}" "${current%,*}," "${words[@]}"
  else
    _fineprint_offer "$current" "" "${words[@]}"
  fi
  [[ ! $joined ]] || compopt -o nospace 2>/dev/null
  [[ ! $files ]] || _fineprint_files "$current" "$files"
}

_fineprint() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  if [[ ! $command ]]; then
    if [[ $current == -* ]]; then
      _fineprint_offer "$current" "" -h --help -V --version --print-defaults
    else
      _fineprint_offer "$current" "" "${_fineprint_commands[@]}"
    fi
    return
  fi
  # bash passes --flag=value as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $before == -* && $current == -* ]]; then
    before=
  fi
  if [[ $before == -* ]] && _fineprint_takes_value "$command" "$before"; then
    _fineprint_known "$current" value "$command" "$before"
  elif [[ $current == -* ]]; then
    local flags=() common=()
    _fineprint_flags "$command"
    # Some commands have many flags: before a letter is typed, only the common ones.
    if [[ $current == - || $current == -- ]]; then flags=("${common[@]}"); fi
    _fineprint_offer "$current" "" "${flags[@]}" -h --help
  else
    _fineprint_known "$current" argument "$command"
  fi
}

complete -F _fineprint fineprint
)";

// Words of the tables contain no quotes, so nothing needs to be escaped.
std::string in_quotes(const std::string& word) { return "'" + word + "'"; }

// Returns assignments of the variables that _fineprint_known reads.
std::string bash_settings(const KnownValue& value) {
  std::string text;
  if (!value.words.empty()) text += format("words=({}) ", join_texts(value.words, " ", in_quotes));
  if (value.joined && !value.words.empty()) text += "joined=1 ";
  if (value.files == KnownValue::Files::any) text += "files=f ";
  if (value.files == KnownValue::Files::folders) text += "files=d ";
  return text;
}

// Writes one `case` for each command: all its flags, and the common ones alone.
std::string flags_function() {
  std::string text = "_fineprint_flags() {\n  case $1 in\n";
  for (const Command& command : commands()) {
    std::string common, others;
    for (const Flag& flag : flags_of(command)) {
      std::string& list = flag.is_common ? common : others;
      if (!flag.brief.empty()) list += " " + flag.brief;
      list += " " + flag.name;
    }
    text += format("    {})\n      common=({})\n", command.name, common);
    text += format("      flags=(\"${{common[@]}}\"{}) ;;\n", others);
  }
  return text + "  esac\n}\n\n";
}

// Returns how many options use each flag, in all commands, by full and bare names.
std::map<std::string, int> uses_of_flags() {
  std::map<std::string, int> uses;
  for (const ProgramOption& option : options().all()) {
    for (const std::string& name : names_of(option)) ++uses[name];
  }
  return uses;
}

// Returns, for example, "*:--store|*:-s". If a flag sets another option in another command, the
// pattern names the commands.
std::string pattern_of(const ProgramOption& option, const std::map<std::string, int>& uses) {
  std::string pattern;
  const auto add = [&](std::string_view command, const std::string& name) {
    pattern += format("{}{}:{}", pattern.empty() ? "" : "|", command, name);
  };
  for (const std::string& name : names_of(option)) {
    if (uses.at(name) == 1) {
      add("*", name);
      continue;
    }
    for (const Command& command : commands()) {
      if ((option.commands & command.bit) != 0) add(command.name, name);
    }
  }
  return pattern;
}

// Writes two functions: the possible values of each flag, and which flags take a value.
std::string value_functions() {
  const std::map<std::string, int> uses = uses_of_flags();
  std::string values = "_fineprint_value() {\n  case $1:$2 in\n";
  std::string takers;
  for (const ProgramOption& option : options().all()) {
    if (option.type == OptionType::boolean) continue;
    const std::string pattern = pattern_of(option, uses);
    takers += (takers.empty() ? "" : "|") + pattern;
    const std::string settings = bash_settings(known_value(option));
    if (!settings.empty()) values += format("    {}) {};;\n", pattern, settings);
  }
  return values + "  esac\n}\n\n" +
         format(
             "_fineprint_takes_value() {{\n  case $1:$2 in\n    {}) ;;\n    *) return 1 ;;\n"
             "  esac\n}}\n\n",
             takers);
}

// Writes the possible arguments of each command.
std::string argument_function() {
  std::string text = "_fineprint_argument() {\n  case $1 in\n";
  for (const Command& command : commands()) {
    const std::string settings = bash_settings(known_arguments(command));
    if (!settings.empty()) text += format("    {}) {};;\n", command.name, settings);
  }
  return text + "  esac\n}\n";
}

}  // namespace

std::string bash_completion() {
  const std::string names = join_texts(commands(), " ", &Command::name);
  return std::string(kBashHead) + format("_fineprint_commands=({})\n\n", names) + flags_function() +
         value_functions() + argument_function() + std::string(kBashFunction);
}

}  // namespace fineprint::cli
