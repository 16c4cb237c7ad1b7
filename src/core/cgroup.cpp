// Reads the limits of control groups, versions 1 and 2.
#include "core/cgroup.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/kernel_files.h"

namespace fineprint {
namespace {

namespace fs = std::filesystem;

constexpr int kAllCores = std::numeric_limits<int>::max();
constexpr std::int64_t kAllMemory = std::numeric_limits<std::int64_t>::max();

// Version 2 has one hierarchy for all controllers, so it needs no controller name.
constexpr const char* kSecondVersion = "";

bool is_listed(const std::string& controllers, const std::string& controller) {
  // Version 1 mounts some controllers together, for example "cpu,cpuacct".
  if (controller == kSecondVersion) return controllers.empty();
  return ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
}

// Returns the path of this process's group; empty if the system does not report it. The lines of
// the file are "number:controllers:path"; for version 2 the line is "0::path".
fs::path own_group(const fs::path& root, const std::string& controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    if (is_listed(line.substr(first + 1, second - first - 1), controller)) {
      return line.substr(second + 1);
    }
  }
  return {};
}

// Returns the folders of the process's group and of all groups around it, because each of them
// limits the process. Inside a container the path may be the host's; then only the outermost folder
// exists.
std::vector<fs::path> groups_of(const fs::path& root, const std::string& controller) {
  const fs::path mount = root / "sys/fs/cgroup" / controller;
  std::vector<fs::path> folders;
  for (fs::path group = own_group(root, controller).relative_path();; group = group.parent_path()) {
    folders.push_back(mount / group);
    if (group.empty()) return folders;
  }
}

// The file names of the memory controller, which differ between versions.
struct MemoryFiles {
  const char* limit;
  const char* used;
  const char* droppable;  // a key of memory.stat
};
constexpr MemoryFiles kFirstFiles = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                     "total_inactive_file"};
constexpr MemoryFiles kSecondFiles = {"memory.max", "memory.current", "inactive_file"};

std::int64_t memory_left(const fs::path& group, const MemoryFiles& files) {
  const auto limit = number_in(group / files.limit);
  const auto used = number_in(group / files.used);
  // A missing limit, or "max", means that this group does not limit memory.
  if (!limit || !used) return kAllMemory;
  // Cached file contents count as used, but the kernel drops them before it refuses memory.
  const auto droppable = number_of(group / "memory.stat", files.droppable);
  return *limit - std::max<std::int64_t>(0, *used - droppable.value_or(0));
}

}  // namespace

std::optional<int> cores_of_quota(std::string_view cpu_max) {
  std::istringstream fields{std::string(cpu_max)};
  long quota = 0;
  long period = 0;
  if (!(fields >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  // Rounded up: half a core still needs one thread.
  const long cores = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<int>(std::min<long>(cores, kAllCores));
}

int cgroup_cores(const fs::path& root) {
  int cores = kAllCores;
  for (const fs::path& group : groups_of(root, kSecondVersion)) {
    cores = std::min(cores, cores_of_quota(first_line(group / "cpu.max")).value_or(kAllCores));
  }
  for (const fs::path& group : groups_of(root, "cpu")) {
    const std::string quota =
        first_line(group / "cpu.cfs_quota_us") + " " + first_line(group / "cpu.cfs_period_us");
    cores = std::min(cores, cores_of_quota(quota).value_or(kAllCores));
  }
  return cores;
}

std::int64_t cgroup_memory(const fs::path& root) {
  std::int64_t least = kAllMemory;
  for (const fs::path& group : groups_of(root, kSecondVersion)) {
    least = std::min(least, memory_left(group, kSecondFiles));
  }
  for (const fs::path& group : groups_of(root, "memory")) {
    least = std::min(least, memory_left(group, kFirstFiles));
  }
  return least;
}

}  // namespace fineprint
