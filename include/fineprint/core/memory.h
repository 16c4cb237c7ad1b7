// How much memory the system has to give.
#pragma once

#include <cstdint>

namespace fineprint {

// Bytes that the system can give without swapping; 0 when it does not say.
std::int64_t available_memory();

}  // namespace fineprint
