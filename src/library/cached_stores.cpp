// Decides which store in the user's cache folder belongs to which folders of documents.
#include "fineprint/library/cached_stores.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/store/store.h"

namespace fineprint::library {
namespace {

namespace fs = std::filesystem;
using Places = std::vector<std::string>;

// Records the roots of a store. Its modification time says when the store was last used.
constexpr const char* kRootsFile = "roots.json";

// Returns the folder that holds all stores of asked folders.
std::string stores_folder() { return user_cache_dir() + "/stores"; }

// The advice about quotes is given because an unquoted question is the usual reason: its words look
// like paths.
[[noreturn]] void refuse_path(const std::string& path, const std::error_code& failure) {
  throw Error(ErrorCode::unreadable,
              format("{}: {}; put a question of several words in quotes", path, failure.message()));
}

// Returns the path without symbolic links in its folders. A file keeps its own name, because a
// link's target may have another extension.
std::string lasting_place(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  fs::path place;
  if (!failure && fs::is_directory(status)) {
    place = fs::canonical(path, failure);
  } else if (!failure) {
    const fs::path whole = fs::absolute(path, failure);
    if (!failure) place = fs::canonical(whole.parent_path(), failure) / whole.filename();
  }
  if (failure) refuse_path(path, failure);
  return place.string();
}

// Both paths are absolute.
bool is_at_or_under(const std::string& path, const std::string& place) {
  if (place == "/") return true;
  return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '/');
}

// Returns the innermost root that contains the path, or an empty string if none does.
std::string root_above(const std::string& path, const Places& roots) {
  std::string found;
  for (const std::string& root : roots) {
    if (is_at_or_under(path, root) && root.size() > found.size()) found = root;
  }
  return found;
}

// Returns the places sorted, without those inside others.
Places roots_of(Places places) {
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  Places roots;
  for (const std::string& place : places) {
    const bool held = std::ranges::any_of(places, [&](const std::string& other) {
      return other != place && is_at_or_under(place, other);
    });
    if (!held) roots.push_back(place);
  }
  return roots;
}

// Returns whether reading the roots finds a document at each place. It does not look into hidden
// folders, and skips files that are read only if they are named.
bool finds_all(const Places& roots, const Places& places) {
  std::vector<documents::FoundFile> files;
  try {
    files = documents::find_documents(roots).files;
  } catch (const Error&) {  // a root is gone
    return false;
  }
  return std::ranges::all_of(places, [&](const std::string& place) {
    return std::ranges::any_of(files,
                               [&](const auto& file) { return is_at_or_under(file.path, place); });
  });
}

// Derives the roots of stores from before roots were recorded: from the paths of their documents.
Places roots_by_documents(const std::string& dir) {
  std::set<std::string> roots;
  for (const store::DocumentRow& row : store::Store(dir, store::Mode::read).documents()) {
    if (!row.path.ends_with("/" + row.doc)) continue;
    const bool alone = row.doc.find('/') == std::string::npos;
    roots.insert(alone ? row.path : row.path.substr(0, row.path.size() - row.doc.size() - 1));
  }
  return {roots.begin(), roots.end()};
}

// Returns the roots that the store records, those of its documents if it records none, and an empty
// list if the store cannot be read.
Places read_roots(const std::string& dir) {
  try {
    Places roots;
    const Json json = parse_json(read_file(dir + "/" + kRootsFile), kRootsFile);
    for (const Json& root : json.at("roots")) roots.push_back(root.get<std::string>());
    return roots;
  } catch (const std::exception&) {
  }
  try {
    return roots_by_documents(dir);
  } catch (const Error&) {  // damaged, or of another version
    return {};
  }
}

// Returns the epoch if the time is unknown.
std::chrono::system_clock::time_point time_of(const std::string& path) {
  std::error_code unknown;
  const fs::file_time_type time = fs::last_write_time(path, unknown);
  if (unknown) return {};
  return std::chrono::time_point_cast<std::chrono::system_clock::duration>(
      std::chrono::file_clock::to_sys(time));
}

// Stores from before roots were recorded have no such file; their catalogue's time is the best
// guess.
CachedStore look_at(const std::string& dir) {
  CachedStore store{.dir = dir, .roots = read_roots(dir), .used = time_of(dir + "/" + kRootsFile)};
  if (store.used == std::chrono::system_clock::time_point()) {
    store.used = time_of(dir + "/catalog.sqlite");
  }
  return store;
}

// Returns the store whose roots contain all places, the nearest if there are several.
std::optional<CachedStore> store_above(const Places& places) {
  std::optional<CachedStore> nearest;
  std::size_t depth = 0;
  for (CachedStore& store : cached_stores()) {
    const bool holds_all = std::ranges::all_of(
        places, [&](const std::string& place) { return !root_above(place, store.roots).empty(); });
    if (!holds_all) continue;
    const std::size_t here = root_above(places.front(), store.roots).size();
    if (nearest && here <= depth) continue;
    // Checked last, because it walks through the folders.
    if (store.roots != places && !finds_all(store.roots, places)) continue;
    depth = here;
    nearest = std::move(store);
  }
  return nearest;
}

}  // namespace

void require_paths(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code failure;
    if (!fs::exists(fs::status(path, failure))) refuse_path(path, failure);
  }
}

// A store of a parent folder is preferred, so that questions about its subfolders do not read
// everything again.
AskedPlace asked_place(const std::vector<std::string>& paths, bool alone) {
  Places places;
  for (const std::string& path : paths) places.push_back(lasting_place(path));
  places = roots_of(std::move(places));
  if (std::optional<CachedStore> store = alone ? std::nullopt : store_above(places)) {
    if (store->roots == places) return {std::move(store->dir), std::move(store->roots), {}};
    return {std::move(store->dir), std::move(store->roots), std::move(places)};
  }
  std::string key;
  // The folder's name is a hash of its roots, so that equal paths find the same store again.
  for (const std::string& place : places) key += place + "\n";
  return {format("{}/{}", stores_folder(), content_hash(key)), std::move(places), {}};
}

void note_use(const AskedPlace& place) {
  const std::string file = place.dir + "/" + kRootsFile;
  std::error_code unknown;
  const bool known = fs::exists(file, unknown) && read_roots(place.dir) == place.roots;
  // Written only if it changed; else touching the file is enough to record the use.
  if (!known) write_file_atomic(file, dump_json({{"roots", place.roots}}) + "\n");
  fs::last_write_time(file, fs::file_time_type::clock::now(), unknown);
}

std::vector<CachedStore> cached_stores() {
  std::vector<CachedStore> stores;
  std::error_code failure;
  fs::directory_iterator entries(stores_folder(), failure);
  for (const fs::directory_iterator end; !failure && entries != end; entries.increment(failure)) {
    std::error_code unknown;
    if (entries->is_directory(unknown)) stores.push_back(look_at(entries->path().string()));
  }
  std::ranges::sort(stores, {},
                    [](const CachedStore& store) { return std::pair(store.roots, store.dir); });
  return stores;
}

}  // namespace fineprint::library
