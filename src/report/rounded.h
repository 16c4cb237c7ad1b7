// Rounds numbers for people to read.
#pragma once

#include "fineprint/core/json.h"

namespace fineprint::report {

// Returns the value with numbers rounded to five significant digits, at any depth. NaN and
// infinities become null.
Json rounded(const Json& value);

}  // namespace fineprint::report
