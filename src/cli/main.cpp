// The program: reads the command line, runs one subcommand, picks the exit code.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/reader.h"

#include "cli/commands.h"
#include "cli/options.h"

namespace fineprint::cli {
namespace {

constexpr std::size_t kFlagsWidth = 35;  // of the flags' column in help

// What was typed: texts by option name, positional arguments, and the command.
struct Typed {
  OptionTexts values;  // by full or bare name
  std::vector<std::string> arguments;
  const Command* command = nullptr;
};

std::string flag_names(const Option& option) {
  const std::string brief(option.facts.brief);
  std::string names = format("--{}", option.name);
  if (!brief.empty()) names = format("-{},{}", brief, names);
  // An option whose whole name is one letter has no long form.
  return option.name == brief ? format("-{}", option.name) : names;
}

// The default as help shows it; lists are joined by ','.
std::string initial_text(const Option& option) {
  std::string all;
  for (const std::string& text : option.initial) all += (all.empty() ? "" : ",") + text;
  return all;
}

std::string help_of(const Option& option) {
  std::string help(option.facts.help);
  if (!option.choices.empty()) help += format(" ({})", option.choice_list());
  const std::string initial = initial_text(option);
  if (!initial.empty() && option.type != OptionType::boolean) help += format(" [{}]", initial);
  return help;
}

// The flags `names` set what the option is by `key`: its full or its bare name.
CLI::Option* add_flags(CLI::App* app, const Option& option, const std::string& names,
                       const std::string& key, Typed* typed) {
  if (option.type == OptionType::boolean) {
    return app->add_flag_function(
        names,
        // --name=false counts below 0.
        [typed, key](std::int64_t count) { typed->values[key] = {count > 0 ? "true" : "false"}; },
        help_of(option));
  }
  CLI::Option* added = app->add_option_function<std::vector<std::string>>(
      names, [typed, key](const std::vector<std::string>& texts) { typed->values[key] = texts; },
      help_of(option));
  added->type_name(std::string(option.facts.value))->expected(1);
  // One value a flag, or a list would swallow the positional arguments behind it.
  added->allow_extra_args(false);
  if (option.type == OptionType::list) added->take_all();
  if (option.name.ends_with("scorer")) added->delimiter(',');
  return added;
}

// The bare names of pipelines' options: not shown, help has the full ones.
void add_bare_flags(CLI::App* app, unsigned command, Typed* typed) {
  for (const std::string& name : options().bare_names()) {
    for (const ProgramOption& option : options().all()) {
      if (settings::bare_name(option.name) != name || !(option.commands & command)) continue;
      add_flags(app, option, format("--{}", name), name, typed)->group("");
      break;
    }
  }
}

void add_command(CLI::App* app, const Command& command, Typed* typed) {
  CLI::App* sub = app->add_subcommand(std::string(command.name), std::string(command.summary));
  sub->footer(format("Example:\n  {}\n", command.example));
  sub->callback([typed, &command] { typed->command = &command; });
  if (!command.arguments.empty()) {
    sub->add_option("arguments", typed->arguments, std::string(command.arguments))
        ->type_name("")
        ->option_text(" ");
  }
  for (const ProgramOption& option : options().all()) {
    if (option.commands & command.bit) {
      add_flags(sub, option, flag_names(option), option.name, typed);
    }
  }
  add_bare_flags(sub, command.bit, typed);
}

// Colours for a person at a terminal who did not ask for none (no-color.org).
void set_log_color() {
  const char* no_color = std::getenv("NO_COLOR");
  log::set_color(::isatty(STDERR_FILENO) == 1 && (no_color == nullptr || *no_color == '\0'));
}

void set_log_level(const Settings& settings) {
  if (settings.flag("debug")) {
    log::set_level(log::Level::debug);
  } else if (settings.flag("verbose")) {
    log::set_level(log::Level::verbose);
  } else if (settings.flag("quiet")) {
    log::set_level(log::Level::quiet);
  }
}

int run_typed(const Typed& typed, char** argv) {
  try {
    // Before anything is read: what comes from a pipe can be read only once.
    if (typed.command->bit & kGeneratingCommands) shorten_thread_waits(argv);
    Settings settings =
        answering::resolve_settings(typed.values, environ, typed.command->bit, options());
    settings.arguments = typed.arguments;
    set_log_level(settings);
    watch_interrupts();
    return typed.command->run(settings);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) log::error("{}", std::string_view(error.what()));
    return exit_code(error.code());
  } catch (const std::exception& error) {
    log::error("internal: {}", std::string_view(error.what()));
    return exit_code(ErrorCode::internal);
  }
}

int run_program(int argc, char** argv) {
  set_log_color();
  Typed typed;
  CLI::App app("Answers questions over folders of documents and shows the pages that prove it.",
               "fineprint");
  app.get_formatter()->column_width(kFlagsWidth);
  app.set_version_flag("--version", program_version());
  app.require_subcommand(0, 1);
  app.footer("`fineprint COMMAND --help` shows a command's options and an example.\n");
  bool print_defaults = false;
  app.add_flag("--print-defaults", print_defaults,
               "print every configuration key with its default");
  for (const Command& command : commands()) add_command(&app, command, &typed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& shown) {  // --help, --version
    return app.exit(shown);
  } catch (const CLI::ParseError& error) {
    log::error("{}; see `fineprint --help`", std::string_view(error.what()));
    return exit_code(ErrorCode::usage);
  } catch (const std::logic_error&) {  // of the library's reading of --flag=VALUE
    log::error("the value of a flag (--flag=VALUE) can only be true or false");
    return exit_code(ErrorCode::usage);
  }
  if (print_defaults) {
    std::fputs(default_configuration().c_str(), stdout);
    return 0;
  }
  if (typed.command == nullptr) {
    std::fputs(app.help().c_str(), stderr);
    return exit_code(ErrorCode::usage);
  }
  return run_typed(typed, argv);
}

}  // namespace
}  // namespace fineprint::cli

int main(int argc, char** argv) {
  // A parent that ignores it would keep from us how our workers end.
  std::signal(SIGCHLD, SIG_DFL);
  if (argc > 1 && std::string_view(argv[1]) == fineprint::documents::kWorkerArgument) {
    return fineprint::documents::worker_main();
  }
  if (argc > 1 && std::string_view(argv[1]) == fineprint::documents::kConverterArgument) {
    return fineprint::documents::converter_main({argv + 2, argv + argc});
  }
  return fineprint::cli::run_program(argc, argv);
}
