// Numbers for eyes.
#pragma once

#include "fineprint/core/json.h"

namespace fineprint::report {

// Numbers rounded to five significant digits, at any depth; null for what is no number.
Json rounded(const Json& value);

}  // namespace fineprint::report
