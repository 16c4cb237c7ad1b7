// Derives the setup of commands that serve a store from settings.
#pragma once

#include "fineprint/server/service.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Throws Error(usage) if --store is missing.
server::ServiceSetup service_setup(const settings::Settings& settings);

}  // namespace fineprint::cli
