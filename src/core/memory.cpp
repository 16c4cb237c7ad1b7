// Measures available memory and returns freed memory to the system. Sources: proc_pid_meminfo(5),
// malloc_trim(3).
#include "fineprint/core/memory.h"

#include <algorithm>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "core/cgroup.h"
#include "core/kernel_files.h"

namespace fineprint {

std::int64_t available_memory(const std::filesystem::path& root) {
  const auto kilobytes = number_of(root / "proc/meminfo", "MemAvailable:");
  if (!kilobytes) return 0;
  // At least 1, because 0 means "unknown" to callers.
  return std::max<std::int64_t>(1, std::min(*kilobytes * 1024, cgroup_memory(root)));
}

void return_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace fineprint
