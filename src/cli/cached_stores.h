// The stores that questions about folders keep in the user's cache folder: one a folder, whatever
// file or subfolder of it is asked about.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace fineprint::cli {

// Files and folders that questions are about, and the index that answers them.
struct AskedPlace {
  std::string dir;                  // of the store
  std::vector<std::string> roots;   // what it is an index of: absolute, sorted
  std::vector<std::string> within;  // what of it is asked about; empty: all
};

// Throws Error(unreadable) naming the first path that does not exist.
void require_paths(const std::vector<std::string>& paths);

// The store of these paths. One whose roots hold all of them serves them, the nearest if there are
// several; else one of their own, whose roots they are, less those that lie in others. Changes
// nothing. Throws Error(unreadable) for a path that does not exist.
AskedPlace asked_place(const std::vector<std::string>& paths);
// Remembers what the store is an index of, and that it was used now.
void note_use(const AskedPlace& place);

struct CachedStore {
  std::string dir;
  std::vector<std::string> roots;  // empty: unknown
  std::chrono::system_clock::time_point used;
};

// By folder.
std::vector<CachedStore> cached_stores();

}  // namespace fineprint::cli
