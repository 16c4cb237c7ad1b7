// `fineprint stores`: lists or removes the indexes that questions about folders left in the user's
// cache folder.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "fineprint/core/dates.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/address.h"
#include "fineprint/library/cached_stores.h"
#include "fineprint/store/removal.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"

namespace fineprint::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::system_clock;

// A store of the list.
struct ListedStore {
  library::CachedStore store;
  std::string name;
  std::int64_t bytes = 0;
  std::optional<store::Totals> totals;  // nullopt: cannot be read
  bool missing = false;                 // none of its folders exists
};

// Files that disappear during the walk are not counted.
std::int64_t bytes_in(const std::string& dir) {
  std::int64_t bytes = 0;
  std::error_code failure;
  fs::recursive_directory_iterator entries(dir, failure);
  for (const fs::recursive_directory_iterator end; !failure && entries != end;
       entries.increment(failure)) {
    std::error_code unknown;
    const bool counts = entries->is_regular_file(unknown) && !unknown;
    const auto size = counts ? entries->file_size(unknown) : 0;
    if (!unknown) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

ListedStore look_into(library::CachedStore cached) {
  ListedStore out{.store = std::move(cached), .name = "", .totals = {}};
  const std::string& dir = out.store.dir;
  out.name = fs::path(dir).filename().string();
  out.bytes = bytes_in(dir);
  try {
    out.totals = store::Store(dir, store::Mode::read).totals();
  } catch (const Error& error) {
    log::debug("{}: {}", dir, error.what());
  }
  out.missing = !out.store.roots.empty() &&
                std::ranges::none_of(out.store.roots, [](const std::string& root) {
                  std::error_code unknown;
                  return fs::exists(root, unknown) || unknown;
                });
  return out;
}

std::string folders_of(const ListedStore& one) {
  const std::string all = join_texts(one.store.roots, ", ", documents::shown_path);
  return all.empty() ? "(unknown folder)" : all;
}

void print_store(const ListedStore& one, bool removed, bool json) {
  if (json) {
    Json folders = Json::array();
    for (const std::string& root : one.store.roots) folders.push_back(documents::shown_path(root));
    Json line{{"name", one.name},
              {"folders", std::move(folders)},
              {"store", one.store.dir},
              {"bytes", one.bytes}};
    if (one.totals) {
      line["documents"] = one.totals->documents;
      line["pages"] = one.totals->pages;
    }
    line["used"] = utc_text(one.store.used);
    line["missing"] = one.missing;
    line["removed"] = removed;
    return print_line(dump_json(line));
  }
  const std::string holds =
      one.totals ? format("{} documents, {} pages", one.totals->documents, one.totals->pages)
                 : std::string("cannot be read");
  print_line(format("{}{}", folders_of(one), one.missing ? "  (gone)" : ""));
  print_line(format("  {}{}  {:.1f} MB  {}  last used {}", removed ? "removed: " : "", one.name,
                    static_cast<double>(one.bytes) / 1e6, holds,
                    utc_text(one.store.used).substr(0, 10)));
}

// A store can be named by its folder, by any of its roots, or by its name in the list.
bool is_named(const ListedStore& one, const std::string& name) {
  if (name == one.name) return true;
  if (documents::is_address(name)) {
    const std::string address = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
    return std::ranges::any_of(one.store.roots, [&](const std::string& root) {
      return documents::address_of_copy(root) == address;
    });
  }
  std::error_code unknown;
  const fs::path place = fs::weakly_canonical(name, unknown);
  const std::string path = unknown ? name : place.string();
  return std::ranges::any_of(one.store.roots,
                             [&](std::string root) { return root == path || root == name; });
}

// Copies belong to no store, because several may have indexed them.
void note_copies() {
  const std::string folder = documents::copies_folder();
  if (const std::int64_t bytes = bytes_in(folder); bytes > 0) {
    log::note(
        "copies of documents from elsewhere take {:.1f} MB in {}; if you remove that folder, "
        "they are fetched again when they are needed",
        static_cast<double>(bytes) / 1e6, folder);
  }
}

// Checked for all names before anything is removed, so that a misspelt name removes nothing.
void require_all_named(const std::vector<ListedStore>& stores,
                       const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool found =
        std::ranges::any_of(stores, [&](const ListedStore& one) { return is_named(one, name); });
    if (found) continue;
    throw Error(ErrorCode::input,
                format("--remove {}: no store has that folder or name; `fineprint stores` lists "
                       "all stores",
                       name));
  }
}

}  // namespace

int run_stores(const Settings& settings) {
  const std::vector<std::string> names = settings.list("remove");
  const std::string& days = settings.text("older-than");
  const bool missing = settings.flag("missing"), json = settings.flag("json");
  std::vector<ListedStore> stores;
  for (library::CachedStore& one : library::cached_stores())
    stores.push_back(look_into(std::move(one)));
  // A misspelt name is reported before anything is removed.
  require_all_named(stores, names);
  // Without any of these options, the command only lists.
  const bool removes = !names.empty() || !days.empty() || missing;
  std::int64_t failed = 0, bytes = 0;
  for (const ListedStore& one : stores) {
    const bool old = !days.empty() &&
                     Clock::now() - one.store.used >
                         std::chrono::hours(24) * settings.integer_if_set("older-than").value_or(0);
    const bool named =
        std::ranges::any_of(names, [&](const std::string& name) { return is_named(one, name); });
    const bool goes = old || named || (missing && one.missing);
    if (removes && !goes) continue;
    if (goes) {
      try {
        store::remove_store(one.store.dir);
      } catch (const Error& error) {
        // One store that cannot be removed, for example because it is in use, does not stop the
        // others.
        log::error("{}", error.what());
        ++failed;
        continue;
      }
    }
    bytes += one.bytes;
    print_store(one, goes, json);
  }
  if (stores.empty()) log::note("there are no stores: no question was about a folder yet");
  note_copies();
  if (removes) log::note("removed {:.1f} MB", static_cast<double>(bytes) / 1e6);
  return failed > 0 ? 1 : 0;
}

}  // namespace fineprint::cli
