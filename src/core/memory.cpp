// How much memory the system has to give.
#include "fineprint/core/memory.h"

#include <fstream>
#include <string>

namespace fineprint {

std::int64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::int64_t kilobytes = 0; file >> key >> kilobytes; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return 0;
}

}  // namespace fineprint
