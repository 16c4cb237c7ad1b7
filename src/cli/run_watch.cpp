// `fineprint watch`: keeps a store up to date with folders.
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

#include "cli/commands.h"
#include "cli/kept_files.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// How long a store that another process writes to is waited for before it is tried again.
constexpr std::chrono::milliseconds kUntilNextTry{2'000};
constexpr std::chrono::milliseconds kForever{std::chrono::hours(24)};

std::vector<std::string> watched_folders(const Settings& settings) {
  argument(settings, 0, "FOLDER");
  std::vector<std::string> folders;
  for (const std::string& path : settings.arguments) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(path, unknown)) {
      throw Error(ErrorCode::input, format("{}: is no folder", path));
    }
    std::string folder = std::filesystem::absolute(path).lexically_normal().string();
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    folders.push_back(std::move(folder));
  }
  return folders;
}

// Brings a store up to date again and again.
class Keeper {
 public:
  Keeper(const Settings& settings, std::vector<std::string> folders)
      : settings_(settings),
        folders_(std::move(folders)),
        dir_(store_dir(settings)),
        store_place_(std::filesystem::absolute(dir_).lexically_normal().string()) {}

  void add(const documents::FolderChanges& changes) {
    all_ = all_ || changes.all || told_empty_;  // what went then was not taken out
    for (const std::string& path : changes.paths) {
      if (!is_of_store(path)) paths_.insert(path);
    }
  }

  bool has_work() const { return all_ || !paths_.empty(); }

  // Does what is to be done; keeps it for the next time where another process writes to the store,
  // or the folders cannot be read for a while.
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
  // A store may lie in one of the folders, and each update changes its files.
  bool is_of_store(const std::string& path) const {
    return path == store_place_ || path.starts_with(store_place_ + "/");
  }

  // A drive that is not there leaves an empty folder, and is no reason to forget what was on it.
  bool has_empty_folder() {
    const auto is_empty = [](const std::string& folder) {
      std::error_code unknown;
      return std::filesystem::is_empty(folder, unknown) && !unknown;
    };
    const auto empty = std::ranges::find_if(folders_, is_empty);
    if (empty == folders_.end()) return told_empty_ = false;
    if (!std::exchange(told_empty_, true)) {
      log::note("{}: is empty: what the store has of it stays (`fineprint remove` takes it out)",
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
  bool told_ = false;        // why nothing could be done the last time
  bool told_empty_ = false;  // that a folder is empty
};

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

int run_watch(const Settings& settings) {
  const std::vector<std::string> folders = watched_folders(settings);
  Keeper keeper(settings, folders);
  const auto settled = std::chrono::duration<double>(settings.real("settle"));
  documents::Rest rest;
  rest.closed = std::chrono::ceil<std::chrono::milliseconds>(settled);
  rest.open = std::max(rest.open, rest.closed);
  // Before the first look: what changes meanwhile is seen.
  documents::FolderWatch watch(folders, rest);
  try {
    keep_up_to_date(watch, keeper);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
  }
  return 0;  // there is no other end
}

}  // namespace fineprint::cli
