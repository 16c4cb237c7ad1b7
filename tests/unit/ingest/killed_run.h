// A run that is slow enough to be killed in the middle.
#pragma once

#include <string>

namespace fineprint::ingest::testing {

// Each call of an encoder takes `delay_ms`.
int slow_run(const std::string& folder, const std::string& store, int delay_ms);

}  // namespace fineprint::ingest::testing
