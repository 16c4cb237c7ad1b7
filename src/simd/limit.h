// The limit without the tables. limit_to sets it and then makes the tables choose again.
#pragma once

#include <string_view>

#include "fineprint/simd/instruction_set.h"

namespace fineprint::simd {

// Does what limit_to does, but leaves the tables' choices as they are. Call limit_to instead.
bool set_limit(std::string_view name);

}  // namespace fineprint::simd
