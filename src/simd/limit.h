// The limit by itself; limit_to has the tables choose again after it.
#pragma once

#include <string_view>

#include "fineprint/simd/instruction_set.h"

namespace fineprint::simd {

// As limit_to, without the tables.
bool set_limit(std::string_view name);

}  // namespace fineprint::simd
