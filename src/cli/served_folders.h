// Reads folders into their store while the store is served.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/library/asked_folder.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// The store of folders, which holds nothing else. A thread brings it up to date.
class ServedFolders {
 public:
  // Creates the store if there is none, and starts to read. `settings` must outlive the object.
  // Throws what AskedFolder throws.
  ServedFolders(const settings::Settings& settings, const std::vector<std::string>& paths);
  // Interrupts the reading. The next call goes on with it.
  ~ServedFolders();
  ServedFolders(const ServedFolders&) = delete;
  ServedFolders& operator=(const ServedFolders&) = delete;

  const std::string& store() const { return folder_.dir(); }
  // For messages.
  const std::string& names() const { return names_; }
  // Waits until everything is read. Returns false if that takes longer.
  bool wait(std::chrono::milliseconds longest);

 private:
  void read();

  std::string names_;
  library::AskedFolder folder_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool done_ = false;
  std::thread reader_;
};

}  // namespace fineprint::cli
