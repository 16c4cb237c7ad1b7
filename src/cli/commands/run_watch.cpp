// `fineprint watch`: keeps a store up to date while folders change.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/folder_watch.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/store/store.h"

#include "cli/asked_paths.h"
#include "cli/commands.h"
#include "cli/kept_files.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// The pause before another try if another process writes to the store.
constexpr std::chrono::milliseconds kUntilNextTry{2'000};
constexpr std::chrono::milliseconds kForever{std::chrono::hours(24)};

// Only folders can be watched. Their paths are made absolute, because changes are reported with
// absolute paths.
std::vector<std::string> watched_folders(const Settings& settings) {
  argument(settings, 0, "FOLDER");
  allow_no_addresses(settings,
                     "only folders of this machine are watched; run `fineprint index` for this "
                     "address from time to time, with --fetch");
  std::vector<std::string> folders;
  for (const std::string& path : settings.arguments) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(path, unknown)) {
      throw Error(ErrorCode::input,
                  format("{}: not a folder; give the folder that holds it", path));
    }
    std::string folder = std::filesystem::absolute(path).lexically_normal().string();
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    folders.push_back(std::move(folder));
  }
  return folders;
}

// Updates a store again and again.
class Keeper {
 public:
  Keeper(const Settings& settings, std::vector<std::string> folders)
      : settings_(settings),
        folders_(std::move(folders)),
        dir_(store_dir(settings)),
        store_place_(std::filesystem::absolute(dir_).lexically_normal().string()) {}

  void add(const documents::FolderChanges& changes) {
    all_ = all_ || changes.all || told_empty_;  // removals were skipped while a folder was empty
    for (const std::string& path : changes.paths) {
      if (!is_of_store(path)) paths_.insert(path);
    }
  }

  bool has_work() const { return all_ || !paths_.empty(); }

  // Does the pending work. If another process writes to the store, or the folders cannot be read
  // for a while, the work stays pending.
  void update() {
    try {
      store::Store store(dir_, store::Mode::write);
      run(store);
      all_ = false;
      paths_.clear();
      told_ = false;
    } catch (const store::InUse& error) {
      if (!std::exchange(told_, true)) log::note("{}; waiting for it", error.what());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unreadable) throw;
      if (!std::exchange(told_, true)) log::warn("{}", error.what());
    }
  }

 private:
  // A store may be inside one of the folders, and each update changes its files.
  bool is_of_store(const std::string& path) const {
    return path == store_place_ || path.starts_with(store_place_ + "/");
  }

  // An unmounted drive leaves an empty folder, which is no reason to remove its documents.
  bool has_empty_folder() {
    const auto is_empty = [](const std::string& folder) {
      std::error_code unknown;
      return std::filesystem::is_empty(folder, unknown) && !unknown;
    };
    const auto empty = std::ranges::find_if(folders_, is_empty);
    if (empty == folders_.end()) return told_empty_ = false;
    if (!std::exchange(told_empty_, true)) {
      log::note("{}: is empty; its documents stay in the store (`fineprint remove` removes them)",
                *empty);
    }
    return true;
  }

  void run(store::Store& store) {
    ingest::IngestOptions options = ingest_options(settings_, dir_);
    options.prune = !has_empty_folder();
    if (!all_) options.within = {paths_.begin(), paths_.end()};
    const ingest::IngestReport report = ingest::ingest(folders_, options, store);
    const bool is_news = report.indexed + report.removed > 0 || ingest::has_new_failures(report);
    if (report.removed > 0) prune_pdfs(store);
    if (!is_news) return;
    print_report(report, settings_.flag("json"));
    log::note("{} indexed, {} removed, {} failed; the store has {} documents", report.indexed,
              report.removed, report.failed, store.totals().documents);
  }

  const Settings& settings_;
  std::vector<std::string> folders_;
  std::string dir_, store_place_;  // the latter is absolute
  bool all_ = true;
  std::set<std::string> paths_;
  bool told_ = false;        // the reason for waiting was logged
  bool told_empty_ = false;  // the empty folder was logged
};

// After a failure, the next try follows after a short pause; without pending work, it waits for
// changes only.
void keep_up_to_date(documents::FolderWatch& watch, Keeper& keeper) {
  keeper.update();
  log::note("watching for changes; Ctrl-C ends it");
  while (!interrupted()) {
    const auto changes = watch.wait(keeper.has_work() ? kUntilNextTry : kForever);
    if (changes) keeper.add(*changes);
    if (!interrupted() && keeper.has_work()) keeper.update();
  }
}

}  // namespace

// An open file that does not change for this long is read, too: some programs never close theirs.
int run_watch(const Settings& settings) {
  const std::vector<std::string> folders = watched_folders(settings);
  Keeper keeper(settings, folders);
  const auto settled = std::chrono::duration<double>(settings.real("settle"));
  documents::Rest rest;
  rest.closed = std::chrono::ceil<std::chrono::milliseconds>(settled);
  rest.open = std::max(rest.open, rest.closed);
  // Created before the first update, so that no change between the two is missed.
  documents::FolderWatch watch(folders, rest);
  try {
    keep_up_to_date(watch, keeper);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
  }
  return 0;  // an interrupt is the normal end
}

}  // namespace fineprint::cli
