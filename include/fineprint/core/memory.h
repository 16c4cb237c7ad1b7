// Measures how much memory this process can get, and returns memory that it no longer uses.
#pragma once

#include <cstdint>
#include <filesystem>

namespace fineprint {

// Returns the bytes that the system can provide without swapping, or that the control groups of
// this process (the limits of a container or batch job) still allow, whichever is less. Returns 0
// if the system does not report it, and 1 if nothing is left. `root` is the folder that contains
// /proc and /sys.
std::int64_t available_memory(const std::filesystem::path& root = "/");

// Returns freed memory to the system: full pages that the allocator would otherwise keep between
// blocks in use. The pages cost page faults when they are needed again, so call it after large work
// only. Does nothing if the C library has no such function.
void return_freed_memory();

}  // namespace fineprint
