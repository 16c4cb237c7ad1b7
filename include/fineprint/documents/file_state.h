// Identifies one state of one file, so that a later look can see whether the file has changed.
#pragma once

#include <cstdint>
#include <string>

#include <sys/stat.h>

namespace fineprint::documents {

// Two states are equal if the file was not replaced, resized or written to in between. Compares
// metadata only; the contents are not read.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  // Time of the last modification, in nanoseconds since the epoch.
  std::int64_t changed_ns = 0;
  bool operator==(const FileState&) const = default;
};

// Returns the state of the file at `path`, following symbolic links. All fields are zero if there
// is no such file or it cannot be examined. Never throws an Error.
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
