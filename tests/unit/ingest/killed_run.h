// A run that is slow enough to be killed in the middle.
#pragma once

#include <string>

namespace fineprint::ingest::testing {

int slow_run(const std::string& folder, const std::string& store);

}  // namespace fineprint::ingest::testing
