// How much memory this process can have, and giving back what it does not use.
#pragma once

#include <cstdint>
#include <filesystem>

namespace fineprint {

// Bytes that the system can give without swapping, and the control groups of this process (a
// container's or a batch job's limits) still allow; 0 when the system does not say.
// `root` is where /proc and /sys are found.
std::int64_t available_memory(const std::filesystem::path& root = "/");

// Gives the system what was freed and lies in pages of its own, which the allocator would keep
// between blocks in use; costs what touching it again costs. Does nothing where the C library has
// no such call.
void return_freed_memory();

}  // namespace fineprint
