// Which state of which file was looked at.
#pragma once

#include <cstdint>
#include <string>

#include <sys/stat.h>

namespace fineprint::documents {

struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileState&) const = default;
};

// All zero for a file that is not there.
inline FileState state_of(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {.device = facts.st_dev,
          .inode = facts.st_ino,
          .size = facts.st_size,
          .changed_ns = facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec};
}

}  // namespace fineprint::documents
