// Tells what changes in folders, once it rests.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fineprint::documents {

// Absolute paths of files that came, went or were written to, and of folders in which anything may
// have changed.
struct FolderChanges {
  std::vector<std::string> paths;  // sorted; each once
  bool all = false;                // events were lost: everything is to be looked at
};

// How long nothing must happen to a file before it is told.
struct Rest {
  std::chrono::milliseconds closed{2'000};  // that its writer has closed
  std::chrono::milliseconds open{30'000};   // that is still open for writing: a log, or a slow copy
};

// Watches folders with all folders below them, by inotify; hidden ones and what lies in them are
// passed over, as in find_documents. Folders that come are watched, too; one of `folders` that goes
// is waited for. Not safe from several threads.
class FolderWatch {
 public:
  // `folders` are absolute. Throws Error(unreadable) for one that cannot be watched, and where the
  // system's limit of watches is reached, naming it.
  explicit FolderWatch(const std::vector<std::string>& folders, const Rest& rest = {});
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Waits for changes that have come to rest. nullopt when `most` has passed before, or the process
  // is to end.
  std::optional<FolderChanges> wait(std::chrono::milliseconds most);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::documents
