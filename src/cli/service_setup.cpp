// Reads the settings of a service.
#include "cli/service_setup.h"

#include "fineprint/server/server_options.h"

#include "cli/wiring.h"

namespace fineprint::cli {

// `serve` and `mcp` share this setup, so that both answer in the same way.
server::ServiceSetup service_setup(const settings::Settings& settings) {
  const std::string dir = store_dir(settings);
  const auto options = settings.read(server::server_options());
  return {.store = dir,
          .settings = settings,
          .session = answering_options(settings, dir),
          .ingest = ingest_options(settings, dir),
          .at_once = options.at_once,
          .time_limit = options.time_limit,
          .kept_answers = options.kept_answers};
}

}  // namespace fineprint::cli
