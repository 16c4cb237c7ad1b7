// What the control groups around this process grant it. Source: cgroups(7) and the kernel's guides
// to the cpu and memory controllers of both versions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace fineprint {

// Cores in "QUOTA PERIOD" as cpu.max holds it, rounded up; nullopt for "max" or nonsense.
std::optional<int> cores_of_quota(std::string_view cpu_max);

// The least that the process's own group and those around it grant, of both versions; the largest
// number when nothing limits. `root` is where /proc and /sys are found.
int cgroup_cores(const std::filesystem::path& root);

// Bytes that may still be used, counting as free what the kernel would drop first (the contents of
// files that were not read lately); negative where a group is over its limit.
std::int64_t cgroup_memory(const std::filesystem::path& root);

}  // namespace fineprint
