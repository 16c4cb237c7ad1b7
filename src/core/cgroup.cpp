// Reads the CPU quota of control groups, versions 1 and 2.
#include "core/cgroup.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace fineprint {
namespace {

constexpr int kNoLimit = std::numeric_limits<int>::max();

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The path after "0::", "/" when the file does not say.
std::string group_path(const std::string& groups) {
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::/")) return line.substr(3);
  }
  return "/";
}

}  // namespace

std::optional<int> cores_of_quota(std::string_view cpu_max) {
  std::istringstream fields{std::string(cpu_max)};
  long quota = 0;
  long period = 0;
  if (!(fields >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  const long cores = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<int>(std::min<long>(cores, kNoLimit));
}

int cgroup_cores(const std::string& groups, const std::string& root) {
  int cores = kNoLimit;
  // Inside a container the path may name a group that is not mounted: its files are then absent.
  for (std::filesystem::path group = group_path(groups);; group = group.parent_path()) {
    const auto folder = std::filesystem::path(root) / group.relative_path();
    cores = std::min(cores, cores_of_quota(first_line(folder / "cpu.max")).value_or(kNoLimit));
    if (!group.has_relative_path()) break;
  }
  const auto old = std::filesystem::path(root) / "cpu";
  const std::string quota = first_line(old / "cpu.cfs_quota_us");
  const std::string period = first_line(old / "cpu.cfs_period_us");
  return std::min(cores, cores_of_quota(quota + " " + period).value_or(kNoLimit));
}

}  // namespace fineprint
