// The program: reads the command line, runs one command and returns the exit code.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/session/generator_size.h"
#include "fineprint/session/load.h"

#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Uses colours if stderr is a terminal and NO_COLOR is not set (no-color.org).
void set_log_color() {
  const char* no_color = std::getenv("NO_COLOR");
  log::set_color(::isatty(STDERR_FILENO) == 1 && (no_color == nullptr || *no_color == '\0'));
}

// If several are given, the one that prints most wins.
void set_log_level(const Settings& settings) {
  if (settings.flag("debug")) {
    log::set_level(log::Level::debug);
  } else if (settings.flag("verbose")) {
    log::set_level(log::Level::verbose);
  } else if (settings.flag("quiet")) {
    log::set_level(log::Level::quiet);
  }
}

// Returns whether the command runs a network long enough that its threads should wait without
// spinning, which may take a second start of the program. A search runs a network only if one is
// named.
bool computes_long(const Typed& typed) {
  if (typed.command->bit == settings::kSearch) return typed.values.contains("generator");
  if (typed.command->bit == settings::kTrain) return true;
  return (typed.command->bit & kGeneratingCommands) != 0;
}

bool is_small(const std::string& generator) {
  session::ModelOptions options;
  options.hub_cache = hub_cache();
  options.gguf = gguf_places();
  return session::is_small_generator(generator, options);
}

int run_typed(const Typed& typed, char** argv) {
  try {
    if (typed.command->tell != nullptr) return typed.command->tell(typed.arguments);
    // Before any input is read, because this may start the program again, and a pipe can be read
    // only once.
    if (computes_long(typed)) shorten_thread_waits(argv);
    Settings settings =
        answering::resolve_settings(typed.values, environ, typed.command->bit, options(), is_small);
    settings.arguments = typed.arguments;
    set_log_level(settings);
    watch_interrupts();
    // A Ctrl-C needs no message: the user knows.
    return typed.command->run(settings);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) log::error("{}", std::string_view(error.what()));
    return exit_code(error.code());
  } catch (const std::exception& error) {
    log::error("internal: {}", std::string_view(error.what()));
    return exit_code(ErrorCode::internal);
  }
}

// The exit code of a command line that runs nothing (help, errors) is decided by
// read_command_line().
int run_program(int argc, char** argv) {
  set_log_color();
  Typed typed;
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (const std::optional<int> code = read_command_line(words, &typed)) return *code;
  return run_typed(typed, argv);
}

// Opens a graph for a document worker, of which as many run as there are cores.
std::unique_ptr<onnx::GraphNetwork> open_graph(const std::string& path) {
  session::ModelOptions options;
  options.device.threads = 1;
  return session::load_graph(path, options);
}

}  // namespace
}  // namespace fineprint::cli

int main(int argc, char** argv) {
  // If the parent process ignores SIGCHLD, we could not see how our workers end.
  std::signal(SIGCHLD, SIG_DFL);
  if (argc > 1 && std::string_view(argv[1]) == fineprint::documents::kWorkerArgument) {
    return fineprint::documents::worker_main({argv + 2, argv + argc}, fineprint::cli::open_graph);
  }
  if (argc > 1 && std::string_view(argv[1]) == fineprint::documents::kConverterArgument) {
    return fineprint::documents::converter_main({argv + 2, argv + argc});
  }
  return fineprint::cli::run_program(argc, argv);
}
