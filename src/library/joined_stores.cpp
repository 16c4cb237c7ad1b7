// Keeps the store into which several stores were joined.
#include "fineprint/library/joined_stores.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/ingest/join.h"
#include "fineprint/store/store.h"

namespace fineprint::library {
namespace {

namespace fs = std::filesystem;

// The file next to the joined catalogue that records the joined stores and their states.
constexpr const char* kSourcesFile = "/sources";

// Returns a hash of everything that a joined store takes from this one.
std::string state_of(const std::string& dir) {
  const store::Store store(dir, store::Mode::read);
  std::string all = store.id() + "\n";
  for (const store::DocumentRow& row : store.documents()) {
    // Other settings or later OCR change pages although the file and its hash stay the same.
    all += format("{}\t{}\t{}\t{}\n", row.doc, row.hash, row.settings, row.waiting_pages);
  }
  for (const store::VectorSet& set : store.vector_sets()) {
    std::size_t lacking = 0;
    for (const auto& [document, ranges] : store.missing_vectors(set.name)) {
      for (const store::UnitRange& range : ranges) lacking += range.count;
    }
    all += format("{}\t{}\t{}\n", set.name, set.hash, lacking);
  }
  return content_hash(all);
}

// Returns the states of all stores as one text, which the joined store records.
std::string states_of(const std::vector<std::string>& dirs) {
  std::string all;
  for (const std::string& dir : dirs) all += format("{}\t{}\n", dir, state_of(dir));
  return all;
}

// A joined store whose recorded states equal the present ones can be searched as it is.
bool is_up_to_date(const std::string& joined, const std::string& states) {
  return fs::exists(joined + kSourcesFile) && read_file(joined + kSourcesFile) == states;
}

// Joins into a new folder and renames it at the end, so that concurrent readers see the old store
// or none, but never a half-written one.
void join_again(const std::vector<std::string>& dirs, const std::string& states,
                const std::string& joined) {
  const std::string fresh = format("{}.{}", joined, getpid());
  fs::remove_all(fresh);
  try {
    {
      store::Store into(fresh, store::Mode::write);
      ingest::join_stores(dirs, into);
    }
    write_file_atomic(fresh + kSourcesFile, states);
    fs::remove_all(joined);
    fs::rename(fresh, joined);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(fresh, ignored);
    throw;
  }
}

// The stores are sorted, so that their order on the command line does not create a second joined
// store.
std::string joined_store(std::vector<std::string> dirs) {
  for (std::string& dir : dirs) dir = fs::weakly_canonical(dir).string();
  std::ranges::sort(dirs);
  dirs.erase(std::ranges::unique(dirs).begin(), dirs.end());
  // One store that was named twice is searched as it is.
  if (dirs.size() == 1) return dirs.front();
  const std::string folder = user_cache_dir() + "/joined";
  std::string key;
  for (const std::string& dir : dirs) key += dir + "\n";
  const std::string joined = format("{}/{}", folder, content_hash(key));
  const std::string states = states_of(dirs);
  if (!is_up_to_date(joined, states)) {
    log::note("joining {} stores into {}; it is searched until one of them changes", dirs.size(),
              joined);
    make_folders(folder);
    join_again(dirs, states, joined);
  }
  return joined;
}

}  // namespace

std::vector<std::string> store_dirs(const std::string& stores) {
  if (fs::exists(stores)) return {stores};
  std::vector<std::string> dirs;
  for (std::size_t begin = 0; begin <= stores.size();) {
    const std::size_t end = std::min(stores.find(',', begin), stores.size());
    if (end > begin) dirs.push_back(stores.substr(begin, end - begin));
    begin = end + 1;
  }
  return dirs;
}

std::string searched_store(const std::string& stores) {
  const std::vector<std::string> dirs = store_dirs(stores);
  return dirs.size() < 2 ? stores : joined_store(dirs);
}

}  // namespace fineprint::library
