// `fineprint mcp`: offers a store to other programs' agents as tools, over standard input and
// output.
#include <unistd.h>

#include "fineprint/core/log.h"
#include "fineprint/server/mcp.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/service_setup.h"
#include "cli/wiring.h"

namespace fineprint::cli {

// Standard output carries the protocol, so everything else is logged on standard error.
int run_mcp(const Settings& settings) {
  allow_arguments(settings, 0);
  server::ServiceSetup setup = service_setup(settings);
  setup.refuses = false;  // there is only one client, so it is never turned away
  const server::Service service(setup);
  log::note("serving {} by MCP on standard input and output", settings.text("store"));
  server::serve_mcp(service, STDIN_FILENO, [](const std::string& message) { print_line(message); });
  return 0;
}

}  // namespace fineprint::cli
