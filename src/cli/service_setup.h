// From settings to what commands that serve a store stand on.
#pragma once

#include "fineprint/server/service.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Throws Error(usage) without --store.
server::ServiceSetup service_setup(const settings::Settings& settings);

}  // namespace fineprint::cli
