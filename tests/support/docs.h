// The sample documents beside the tests.
#pragma once

#include <string>

namespace fineprint::testing {

inline std::string docs(const std::string& name) { return FINEPRINT_TEST_DATA "/docs/" + name; }

}  // namespace fineprint::testing
