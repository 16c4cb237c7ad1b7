// Parses flags and prints help with CLI11.
#include "cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"

#include "cli/help_texts.h"
#include "cli/nearest_name.h"
#include "cli/options.h"

namespace fineprint::cli {
namespace {

constexpr std::size_t kFlagsWidth = 35;  // of the flags' column in help

// Returns the flags of an option in CLI11's form, for example "-s,--store".
std::string flag_names(const ProgramOption& option) {
  const std::string brief(option.facts.brief);
  std::string names = format("--{}", option.flag.empty() ? option.name : option.flag);
  if (!brief.empty()) names = format("-{},{}", brief, names);
  // An option whose full name is one letter has no long form.
  return option.name == brief ? format("-{}", option.name) : names;
}

// Returns the values separated by commas, as --help shows lists.
std::string joined_texts(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return all;
}

// Returns the default as help shows it.
std::string initial_text(const Option& option) { return joined_texts(option.initial); }

// Returns the option's help with its choices in parentheses and its default in brackets.
std::string help_of(const Option& option) {
  std::string help(option.facts.help);
  if (!option.choices.empty()) help += format(" ({})", option.choice_list());
  const std::string initial = initial_text(option);
  if (!initial.empty() && option.type != OptionType::boolean) help += format(" [{}]", initial);
  return help;
}

// Adds the flags `names`, which set the value of the option under `key`, its full or its bare name.
// With `joined`, the flag may be given several times.
CLI::Option* add_flags(CLI::App* app, const Option& option, const std::string& names,
                       const std::string& key, Typed* typed, bool joined = false) {
  if (option.type == OptionType::boolean) {
    return app->add_flag_function(
        names,
        // --name=false gives a negative count
        [typed, key](std::int64_t count) { typed->values[key] = {count > 0 ? "true" : "false"}; },
        help_of(option));
  }
  CLI::Option* added = app->add_option_function<std::vector<std::string>>(
      names,
      [typed, key, joined](const std::vector<std::string>& texts) {
        typed->values[key] = joined ? std::vector{joined_texts(texts)} : texts;
      },
      help_of(option));
  added->type_name(std::string(option.facts.value))->expected(1);
  // Without this, a list would take the positional arguments that follow the flag as values.
  added->allow_extra_args(false);
  if (option.type == OptionType::list || joined) added->take_all();
  if (option.name.ends_with("scorer")) added->delimiter(',');
  return added;
}

// Adds the bare names of pipelines' options. Help does not show them because it has the full names.
void add_bare_flags(CLI::App* app, unsigned command, Typed* typed) {
  for (const std::string& name : options().bare_names()) {
    for (const ProgramOption& option : options().all()) {
      if (settings::bare_name(option.name) != name || !(option.commands & command)) continue;
      add_flags(app, option, format("--{}", name), name, typed)->group("");
      break;
    }
  }
}

// Adds the command without its options.
CLI::App* add_command(CLI::App* app, const Command& command, Typed* typed) {
  CLI::App* sub = app->add_subcommand(std::string(command.name), std::string(command.summary));
  sub->callback([typed, &command] { typed->command = &command; });
  return sub;
}

// The heading of common options must come first, and CLI11 orders headings by their first option.
void add_options(CLI::App* sub, const Command& command, Typed* typed) {
  sub->footer(format("Example:\n  {}\n", command.example));
  if (!command.arguments.empty()) {
    sub->add_option("arguments", typed->arguments, std::string(command.arguments))
        ->type_name("")
        ->option_text(" ");
  }
  sub->get_help_ptr()->group(
      std::string(kCommonHeading));  // the first, so that its heading comes first
  for (const ProgramOption& option : options().all()) {
    if (option.commands & command.bit) {
      add_flags(sub, option, flag_names(option), option.name, typed,
                (option.several & command.bit) != 0)
          ->group(std::string(heading(option, command.bit)));
    }
  }
  add_bare_flags(sub, command.bit, typed);
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

bool is_command(const std::string& word) {
  return std::ranges::find(commands(), word, &Command::name) != commands().end();
}

// Returns the long flags of the command, by full and bare names.
std::vector<std::string> long_flags(unsigned command) {
  std::vector<std::string> flags = {"--help"};
  for (const ProgramOption& option : options().all()) {
    if (!(option.commands & command)) continue;
    flags.push_back(format("--{}", option.flag.empty() ? option.name : option.flag));
    const std::string bare(settings::bare_name(option.name));
    if (bare != option.name) flags.push_back(format("--{}", bare));
  }
  return flags;
}

// Returns, for example, "; it belongs to batch, embed" if other commands have the flag.
std::string owners_of(const std::string& flag) {
  std::string owners;
  const std::string name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  const ProgramOption* option = options().find(name);
  if (option == nullptr) return "";
  for (const Command& command : commands()) {
    if (!(option->commands & command.bit)) continue;
    owners += format("{}{}", owners.empty() ? "; it is an option of " : ", ", command.name);
  }
  return owners;
}

std::string about_unknown_command(const std::string& word) {
  // A near name is the likeliest reason, then a question without `ask`, then anything else.
  if (const auto meant = nearest_name(word, command_names())) {
    return format("there is no command \"{}\"; did you mean \"{}\"? See `fineprint --help`", word,
                  *meant);
  }
  if (word.find(' ') != std::string::npos) {
    return format("there is no command \"{}\"; to ask a question, run `fineprint ask QUESTION`",
                  word);
  }
  return format("there is no command \"{}\"; the commands are: {}", word,
                join_texts(command_names(), ", "));
}

// Returns the message about the first word that was not understood.
std::string about_surplus(const std::string& word, const Command* command) {
  const bool is_flag = word.size() > 1 && word.front() == '-';
  if (command == nullptr) {
    return is_flag ? format(
                         "{} precedes the command; options follow it, for example "
                         "`fineprint ask --json`; see `fineprint --help`",
                         word)
                   : about_unknown_command(word);
  }
  const std::string see = format("see `fineprint {} --help`", command->name);
  if (!is_flag) return format("unexpected argument \"{}\"; {}", word, see);
  const std::string flag = word.substr(0, word.find('='));
  if (const std::string owners = owners_of(flag); !owners.empty()) {
    return format("`{}` has no option {}{}; {}", command->name, flag, owners, see);
  }
  const auto meant = nearest_name(flag, long_flags(command->bit));
  return format("`{}` has no option {}; {}{}", command->name, flag,
                meant ? format("did you mean {}? ", *meant) : "", see);
}

// Returns nullptr if the command line names no command.
const Command* chosen_command(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) return nullptr;
  const auto found = std::ranges::find(commands(), chosen.front()->get_name(), &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

// CLI11's own message for surplus words does not say what may have been meant, so it is replaced.
int refuse_words(const CLI::App& app, const CLI::ParseError& error) {
  const bool before_command = !app.remaining().empty();
  const Command* command = before_command ? nullptr : chosen_command(app);
  const std::vector<std::string> surplus = app.remaining(/*recurse=*/true);
  if (!surplus.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    log::error("{}", about_surplus(surplus.front(), command));
  } else {
    log::error("{}; see `fineprint{}{} --help`", std::string_view(error.what()),
               command == nullptr ? "" : " ", command == nullptr ? "" : command->name);
  }
  return exit_code(ErrorCode::usage);
}

// Turns `help` and `help COMMAND` into --help after the subject. Topics are left to the command
// `help`.
void take_help_word(std::vector<std::string>* words) {
  if (words->empty() || words->front() != "help") return;
  if (words->size() == 1) {
    *words = {"--help"};
  } else if (is_command((*words)[1]) && find_text(help_topics(), (*words)[1]) == nullptr) {
    *words = {(*words)[1], "--help"};
  }
}

// Replaces `--reader` of `read`, which is the name that --qa had until 0.1. Accepted for one
// version.
void take_old_flag(std::vector<std::string>* words) {
  constexpr std::string_view kOld = "--reader";
  if (words->empty() || words->front() != "read") return;
  for (std::string& word : *words) {
    if (word != kOld && !word.starts_with(format("{}=", kOld))) continue;
    log::warn("{} is now --qa", kOld);
    word.replace(0, kOld.size(), "--qa");
  }
}

// Returns the last lines of `fineprint --help`, which list the topics.
std::string program_footer() {
  return format(
      "`fineprint COMMAND --help` shows a command's options and an example; `fineprint help TOPIC` "
      "explains:\n{}.\n",
      join_texts(help_topics(), ", ", &HelpText::name));
}

}  // namespace

std::optional<int> read_command_line(std::vector<std::string> words, Typed* typed) {
  CLI::App app(
      "Answers questions over folders of documents and shows the pages that support the answers.",
      "fineprint");
  app.get_formatter()->column_width(kFlagsWidth);
  app.set_version_flag("-V,--version", program_version());
  app.require_subcommand(0, 1);
  app.footer(program_footer());
  bool print_defaults = false;
  app.add_flag("--print-defaults", print_defaults,
               "print every configuration key with its default");
  take_help_word(&words);
  take_old_flag(&words);
  for (const Command& command : commands()) {
    CLI::App* sub = add_command(&app, command, typed);
    // Only for commands that may be meant, because all options of all commands take 20 ms.
    if (std::ranges::find(words, command.name) != words.end()) add_options(sub, command, typed);
  }
  if (!words.empty() && !words.front().starts_with('-') && !is_command(words.front())) {
    log::error("{}", about_unknown_command(words.front()));
    return exit_code(ErrorCode::usage);
  }
  std::ranges::reverse(words);  // the library expects the last word first
  try {
    app.parse(words);
  } catch (const CLI::Success& shown) {  // --help, --version
    return app.exit(shown);
  } catch (const CLI::ParseError& error) {
    return refuse_words(app, error);
  } catch (const std::logic_error&) {  // thrown by the library for --flag=VALUE
    log::error("a switch (--flag=VALUE) can only have the value true or false");
    return exit_code(ErrorCode::usage);
  }
  if (print_defaults) {
    std::fputs(default_configuration().c_str(), stdout);
    return 0;
  }
  if (typed->command == nullptr) {
    std::fputs(app.help().c_str(), stderr);
    return exit_code(ErrorCode::usage);
  }
  return std::nullopt;
}

}  // namespace fineprint::cli
