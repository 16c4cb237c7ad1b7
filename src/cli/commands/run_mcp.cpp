// `fineprint mcp`: offers folders or a store to other programs' agents as tools, over standard
// input and output.
#include <chrono>
#include <string>
#include <vector>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/server/mcp.h"

#include "cli/asked_options.h"
#include "cli/asked_paths.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/served_folders.h"
#include "cli/service_setup.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Clients give up if a server says nothing for a minute, so larger folders are read while the first
// questions are answered.
constexpr std::chrono::seconds kReadingFirst{20};

// Standard output carries the protocol, so everything else is logged on standard error.
void serve_store(const Settings& settings, const std::string& what) {
  server::ServiceSetup setup = service_setup(settings);
  setup.refuses = false;  // there is only one client, so it is never turned away
  const server::Service service(setup);
  log::note("serving {} by MCP on standard input and output", what);
  server::serve_mcp(service, STDIN_FILENO, [](const std::string& message) { print_line(message); });
}

Settings with_store(Settings settings, const std::string& dir) {
  settings.lay_over({{"store", {dir}}}, "the arguments");
  return settings;
}

}  // namespace

int run_mcp(const Settings& settings) {
  if (settings.arguments.empty()) {
    serve_store(settings, settings.text("store"));
    return 0;
  }
  const std::vector<std::string> paths = asked_paths(settings).paths;
  if (paths.size() == 1 && is_store(paths.front())) {
    if (settings.origin("store") == settings::kFlagsOrigin) {
      throw Error(ErrorCode::usage, "two stores are named; leave out --store or " + paths.front());
    }
    serve_store(with_store(settings, paths.front()), paths.front());
    return 0;
  }
  ServedFolders folders(settings, paths);
  if (!folders.wait(kReadingFirst)) {
    log::note("still reading; until that is done, answers come from the documents read so far");
  }
  serve_store(with_store(settings, folders.store()), folders.names());
  return 0;
}

}  // namespace fineprint::cli
