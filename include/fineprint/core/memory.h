// How much memory this process can have.
#pragma once

#include <cstdint>
#include <filesystem>

namespace fineprint {

// Bytes that the system can give without swapping, and the control groups of this process (a
// container's or a batch job's limits) still allow; 0 when the system does not say.
// `root` is where /proc and /sys are found.
std::int64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace fineprint
