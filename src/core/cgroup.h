// Reads what the control groups around this process allow it. Source: cgroups(7) and the kernel's
// guides to the cpu and memory controllers of both versions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace fineprint {

// Returns the number of cores in "QUOTA PERIOD", the format of cpu.max, rounded up; nullopt for
// "max" or invalid text. For example, "150000 100000" is 2.
std::optional<int> cores_of_quota(std::string_view cpu_max);

// Returns the fewest cores that the process's own group or a group around it allows, in either
// version; the largest int if nothing limits them. `root` is the folder that contains /proc and
// /sys.
int cgroup_cores(const std::filesystem::path& root);

// Returns the bytes that may still be used; negative if a group is over its limit. Counts as free
// what the kernel would drop first: contents of files that were not read lately.
std::int64_t cgroup_memory(const std::filesystem::path& root);

}  // namespace fineprint
