// How much memory this process can have. Source: proc_pid_meminfo(5).
#include "fineprint/core/memory.h"

#include <algorithm>

#include "core/cgroup.h"
#include "core/kernel_files.h"

namespace fineprint {

std::int64_t available_memory(const std::filesystem::path& root) {
  const auto kilobytes = number_of(root / "proc/meminfo", "MemAvailable:");
  if (!kilobytes) return 0;
  return std::max<std::int64_t>(1, std::min(*kilobytes * 1024, cgroup_memory(root)));
}

}  // namespace fineprint
