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
  // Times in nanoseconds since the epoch: of the last modification, which programs can set, and of
  // the last change of contents or metadata, which they cannot.
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileState&) const = default;
};

// Returns the state that stat() has found.
inline FileState state_in(const struct stat& facts) {
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return {.device = facts.st_dev,
          .inode = facts.st_ino,
          .size = facts.st_size,
          .modified_ns = nanoseconds(facts.st_mtim),
          .changed_ns = nanoseconds(facts.st_ctim)};
}

// Returns the state of the file at `path`, following symbolic links, or of an open file. All fields
// are zero if there is no such file or it cannot be examined. Never throws an Error.
inline FileState state_of(const std::string& path) {
  struct stat facts{};
  return stat(path.c_str(), &facts) == 0 ? state_in(facts) : FileState();
}
inline FileState state_of(int descriptor) {
  struct stat facts{};
  return fstat(descriptor, &facts) == 0 ? state_in(facts) : FileState();
}

}  // namespace fineprint::documents
