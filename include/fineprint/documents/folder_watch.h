// Reports files that change in folders, once they have stopped changing.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fineprint::documents {

// Files and folders that may have changed. For example, a file that was created, removed, renamed
// or written to is listed, and so is a folder in which anything may have changed. Paths are
// absolute.
struct FolderChanges {
  std::vector<std::string> paths;  // sorted; each path once
  bool all = false;                // events were lost: look at all watched folders
};

// How long a file must stay unchanged before it is reported.
struct Rest {
  // For a file that its writer has closed.
  std::chrono::milliseconds closed{2'000};
  // For a file that is still open for writing, for example a log or a slow copy.
  std::chrono::milliseconds open{30'000};
};

// Watches folders and all folders below them with inotify. Hidden files and folders are ignored, as
// in find_documents. Folders that are created later are watched, too. If one of `folders`
// disappears, the watch waits for it to come back. Not thread-safe.
class FolderWatch {
 public:
  // Starts to watch `folders`, which must be absolute paths. Throws Error(unreadable) if a folder
  // does not exist or cannot be watched, or if the system's limit of watches is reached; the
  // message names that limit.
  explicit FolderWatch(const std::vector<std::string>& folders, const Rest& rest = {});
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Waits up to `most` for changes that have come to rest and returns them. Returns nullopt if
  // there were none in that time, or if the process is interrupted.
  std::optional<FolderChanges> wait(std::chrono::milliseconds most);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::documents
