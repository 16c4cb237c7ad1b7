// How much memory this process can have. Source: the kernel's proc_pid_meminfo(5), cgroups(7), and
// its guides to the memory controllers of cgroup v1 and v2.
#include "fineprint/core/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace fineprint {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

// Where one version of the controller tells what; in bytes.
struct Controller {
  const char* folder;  // of the root group
  const char* limit;
  const char* used;
  const char* droppable;  // of memory.stat: used by files' contents that can be read again
};
constexpr Controller kFirst = {"sys/fs/cgroup/memory", "memory.limit_in_bytes",
                               "memory.usage_in_bytes", "total_inactive_file"};
constexpr Controller kSecond = {"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

// nullopt: there is none, or it is a word ("max").
std::optional<std::int64_t> read_number(const fs::path& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

// The number that follows `key` in a file of such lines.
std::optional<std::int64_t> read_number_of(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  std::string name, rest;
  for (std::int64_t number = 0; file >> name >> number; std::getline(file, rest)) {
    if (name == key) return number;
  }
  return std::nullopt;
}

std::int64_t left_in(const Controller& controller, const fs::path& group) {
  const auto limit = read_number(group / controller.limit);
  const auto used = read_number(group / controller.used);
  if (!limit || !used) return kUnlimited;
  const auto droppable = read_number_of(group / "memory.stat", controller.droppable);
  return *limit - std::max<std::int64_t>(0, *used - droppable.value_or(0));
}

// A group's own limit and those of the groups around it. Inside a container the path may be the
// host's, of which only the last part up is to be seen.
std::int64_t left_from(const Controller& controller, const fs::path& root, const fs::path& group) {
  std::int64_t least = kUnlimited;
  for (fs::path path = group.relative_path();; path = path.parent_path()) {
    least = std::min(least, left_in(controller, root / controller.folder / path));
    if (path.empty()) return least;
  }
}

// Lines "number:controllers:path"; of the second version "0::path".
std::int64_t left_by_groups(const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  std::int64_t least = kUnlimited;
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, left_from(kSecond, root, group));
    if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, left_from(kFirst, root, group));
    }
  }
  return least;
}

}  // namespace

std::int64_t available_memory(const fs::path& root) {
  const auto kilobytes = read_number_of(root / "proc/meminfo", "MemAvailable:");
  if (!kilobytes) return 0;
  return std::max<std::int64_t>(1, std::min(*kilobytes * 1024, left_by_groups(root)));
}

}  // namespace fineprint
