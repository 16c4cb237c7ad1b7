// How many cores the control group of this process grants.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint {

// Cores in "QUOTA PERIOD" as cpu.max holds it, rounded up; nullopt for "max" or nonsense.
std::optional<int> cores_of_quota(std::string_view cpu_max);

// The smallest grant among the group and its ancestors (version 2), or of version 1's cpu
// controller; the largest int when nothing limits. `groups` is /proc/self/cgroup, `root` where the
// groups are mounted.
int cgroup_cores(const std::string& groups, const std::string& root);

}  // namespace fineprint
