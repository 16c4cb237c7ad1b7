// Reports changes in folders, by inotify.
#include "fineprint/documents/folder_watch.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "documents/formats.h"

namespace fineprint::documents {
namespace {

using WatchClock = std::chrono::steady_clock;

// IN_ATTRIB is included because a change of permissions may make a file readable.
constexpr std::uint32_t kWatched = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF |
                                   IN_ATTRIB | IN_ONLYDIR;
// How often to check whether the process must end, and whether a missing folder is back.
constexpr std::chrono::milliseconds kTick{200};
// A change at rest waits at most this long for other changes of about the same time, so that one
// endless download does not hold back all other files.
constexpr std::chrono::seconds kLongestWait{10};

// A path that has changed recently.
struct Changing {
  WatchClock::time_point first, last;
  bool open = false;  // written to and not closed since
};

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

struct FolderWatch::State {
  State(std::vector<std::string> watched, const Rest& times)
      : roots(std::move(watched)), rest(times), events(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (events < 0) {
      throw Error(ErrorCode::unreadable, format("cannot watch folders: {}", std::strerror(errno)));
    }
  }
  ~State() { close(events); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Records a change of `path` now.
  void touch(const std::string& path, bool open) {
    const auto now = WatchClock::now();
    const auto [place, is_new] = changing.try_emplace(path, Changing{.first = now, .last = now});
    place->second.last = now;
    place->second.open = open;
  }

  // Returns false if there is no such folder, or no longer.
  bool watch(const std::string& folder) {
    const int id = inotify_add_watch(events, folder.c_str(), kWatched);
    if (id >= 0) {
      path_of[id] = folder;
      return true;
    }
    if (errno == ENOENT || errno == ENOTDIR) return false;
    const bool is_full = errno == ENOSPC;
    throw Error(ErrorCode::unreadable,
                format("{}: cannot watch this folder: {}", folder,
                       is_full ? std::string("the system's limit of watched folders is reached; "
                                             "raise fs.inotify.max_user_watches with sysctl")
                               : std::strerror(errno)));
  }

  // Watches a folder and those below it. Each folder is watched before it is listed, so that no
  // file can appear in between without an event.
  bool watch_tree(const std::string& folder) {
    struct stat status{};
    if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || !watch(folder)) {
      return false;
    }
    // a loop of symbolic links
    if (!open_folders.emplace(status.st_dev, status.st_ino).second) return true;
    std::error_code failure;
    std::filesystem::directory_iterator entries(folder, failure);
    for (const std::filesystem::directory_iterator end; !failure && entries != end;
         entries.increment(failure)) {
      std::error_code unknown;
      const std::string name = entries->path().filename().string();
      if (!is_passed_over(name) && entries->is_directory(unknown)) {
        watch_tree(folder + "/" + name);
      }
    }
    open_folders.erase({status.st_dev, status.st_ino});
    return true;
  }

  // Removes the watches of a folder and all folders below it, because their paths are no longer
  // valid.
  void forget_tree(const std::string& folder) {
    for (auto at = path_of.begin(); at != path_of.end();) {
      if (at->second == folder || is_below(at->second, folder)) {
        inotify_rm_watch(events, at->first);
        at = path_of.erase(at);
      } else {
        ++at;
      }
    }
  }

  void watch_roots() {
    missing.clear();
    for (const std::string& root : roots) {
      if (!watch_tree(root)) missing.insert(root);
    }
  }

  // Reports a missing root that has come back as changed, so that all its files are looked at.
  void look_for_missing() {
    for (const std::string& root : std::set<std::string>(missing)) {
      if (!watch_tree(root)) continue;
      missing.erase(root);
      touch(root, false);
    }
  }

  void take(const inotify_event& event) {
    if (event.mask & IN_Q_OVERFLOW) {
      log::step("too many changes at once: some were missed, so all folders are read again");
      lost = true;
      // The lost events may include new folders.
      return watch_roots();
    }
    const auto found = path_of.find(event.wd);
    if (found == path_of.end()) return;
    const std::string folder = found->second;
    if (event.mask & IN_IGNORED) {
      path_of.erase(found);
    } else if (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) {
      lose_root(folder);
    } else if (event.len > 0 && !is_passed_over(event.name)) {
      take_entry(folder + "/" + event.name, event.mask);
    }
  }

  // Only for roots: for other folders, the watch of the parent folder reports the event.
  void lose_root(const std::string& folder) {
    if (std::ranges::find(roots, folder) == roots.end()) return;
    log::warn("{}: this folder is gone; watching it again when it is back", folder);
    forget_tree(folder);
    missing.insert(folder);
  }

  void take_entry(const std::string& path, std::uint32_t mask) {
    if (mask & IN_ISDIR) {
      if (mask & (IN_MOVED_FROM | IN_DELETE)) forget_tree(path);
      if (mask & (IN_CREATE | IN_MOVED_TO)) watch_tree(path);
    }
    // A new or modified file counts as open until IN_CLOSE_WRITE arrives.
    const bool is_written = (mask & (IN_CREATE | IN_MODIFY)) != 0 && (mask & IN_ISDIR) == 0;
    touch(path, is_written);
  }

  // Reads all events that the kernel has queued. The descriptor does not block.
  void read_events() {
    alignas(inotify_event) char bytes[1 << 16];
    for (ssize_t got = 0; (got = read(events, bytes, sizeof bytes)) > 0;) {
      for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
        const auto* event = reinterpret_cast<const inotify_event*>(bytes + at);
        take(*event);
        at += sizeof(inotify_event) + event->len;
      }
    }
  }

  bool rests(const Changing& one, WatchClock::time_point now) const {
    return now - one.last >= (one.open ? rest.open : rest.closed);
  }

  // Returns the changes at rest, if all changes are at rest or one of them has waited for
  // kLongestWait.
  std::optional<FolderChanges> rested() {
    const auto now = WatchClock::now();
    bool all_rest = true, waited = false;
    for (const auto& [path, one] : changing) {
      const bool is_at_rest = rests(one, now);
      all_rest = all_rest && is_at_rest;
      waited = waited || (is_at_rest && now - one.first >= kLongestWait);
    }
    if (changing.empty() ? !lost : !(all_rest || waited)) return std::nullopt;
    FolderChanges out{.paths = {}, .all = std::exchange(lost, false)};
    std::erase_if(changing, [&](const auto& entry) {
      if (!rests(entry.second, now)) return false;
      out.paths.push_back(entry.first);
      return true;
    });
    return out;
  }

  std::vector<std::string> roots;
  Rest rest;
  int events;
  std::map<int, std::string> path_of;              // by number of the watch
  std::set<std::string> missing;                   // roots that do not exist now
  std::set<std::pair<dev_t, ino_t>> open_folders;  // from a root down to the folder being listed
  std::map<std::string, Changing> changing;
  bool lost = false;
};

FolderWatch::FolderWatch(const std::vector<std::string>& folders, const Rest& rest)
    : state_(std::make_unique<State>(folders, rest)) {
  state_->watch_roots();
  if (!state_->missing.empty()) {
    throw Error(ErrorCode::unreadable,
                format("{}: this is not a folder, or it does not exist", *state_->missing.begin()));
  }
}

FolderWatch::~FolderWatch() = default;

std::optional<FolderChanges> FolderWatch::wait(std::chrono::milliseconds most) {
  const auto end = WatchClock::now() + most;
  while (!interrupted()) {
    state_->read_events();
    state_->look_for_missing();
    if (std::optional<FolderChanges> changes = state_->rested()) return changes;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - WatchClock::now());
    if (left.count() <= 0) break;
    pollfd ready{state_->events, POLLIN, 0};
    // Waits a moment, because the events of a large copy are better read in batches than one by
    // one.
    if (poll(&ready, 1, static_cast<int>(std::min(left, kTick).count())) > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  return std::nullopt;
}

}  // namespace fineprint::documents
