// The stores in the user's cache folder that answer questions about folders. A folder has one
// store, whichever file or subfolder of it is asked about.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace fineprint::library {

// The files and folders of a question, and the store that answers it.
struct AskedPlace {
  std::string dir;                  // of the store
  std::vector<std::string> roots;   // what the store is an index of: absolute, sorted
  std::vector<std::string> within;  // the part of it that the question is about; empty: all
};

// Throws Error(unreadable) with the first path that does not exist.
void require_paths(const std::vector<std::string>& paths);

// Returns the store for these paths. If there is a store whose roots contain all of them, it is
// used, the nearest if there are several. Otherwise they get their own store, whose roots are the
// paths without those inside other paths; always so if `alone`. Changes nothing on disk. Throws
// Error(unreadable) if a path does not exist.
AskedPlace asked_place(const std::vector<std::string>& paths, bool alone = false);
// Records what the store is an index of, and that it was used now.
void note_use(const AskedPlace& place);

struct CachedStore {
  std::string dir;
  std::vector<std::string> roots;  // empty: unknown
  std::chrono::system_clock::time_point used;
};

// Returns all stores in the user's cache folder, sorted by their roots.
std::vector<CachedStore> cached_stores();

}  // namespace fineprint::library
