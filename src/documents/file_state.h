// Which state of which file was looked at.
#pragma once

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace fineprint::documents {

struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileState&) const = default;
};

// All zero for a file that is not there.
FileState state_of(const std::string& path);

}  // namespace fineprint::documents
