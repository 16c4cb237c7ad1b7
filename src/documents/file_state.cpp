// Asks the file system.
#include "documents/file_state.h"

#include <sys/stat.h>

namespace fineprint::documents {

FileState state_of(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {facts.st_dev, facts.st_ino, facts.st_size,
          facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec};
}

}  // namespace fineprint::documents
