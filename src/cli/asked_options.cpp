// Derives the options of questions about folders from settings.
#include "cli/asked_options.h"

#include <filesystem>
#include <utility>

#include <unistd.h>

#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Both streams must be a terminal: with one redirected, a script waits and wants the command to
// end.
bool somebody_waits() { return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1; }

}  // namespace

bool is_store(const std::string& path) { return std::filesystem::exists(path + "/catalog.sqlite"); }

library::AskedOptions asked_options(const Settings& settings) {
  library::AskedOptions options;
  // A store from a configuration file is meant for other commands, so these paths must not go into
  // it.
  if (settings.origin("store") == settings::kFlagsOrigin) options.store = store_dir(settings);
  options.ingest = [&settings](const std::string& store) {
    return ingest_options(settings, store);
  };
  options.filter = document_filter(settings, settings.list("doc"));
  options.somebody_waits = somebody_waits();
  // Skipped files are noted once for all runs of a question.
  options.report = [noted = false](const ingest::IngestReport& report) mutable {
    print_report(report, false);
    if (report.indexed > 0 && !std::exchange(noted, true)) note_skipped(report);
  };
  return options;
}

}  // namespace fineprint::cli
