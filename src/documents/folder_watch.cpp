// Tells what changes in folders, by inotify.
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

constexpr std::uint32_t kWatched = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF |
                                   IN_ATTRIB | IN_ONLYDIR;
// How often it is seen that the process is to end, and whether a folder that went is back.
constexpr std::chrono::milliseconds kTick{200};
// What rests waits no longer than this for the rest of what changes at the same time.
constexpr std::chrono::seconds kLongestWait{10};

// A path to which something happened.
struct Changing {
  WatchClock::time_point first, last;
  bool open = false;  // written to, and not closed since
};

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

}  // namespace

struct FolderWatch::State {
  State(std::vector<std::string> watched, const Rest& times)
      : roots(std::move(watched)), rest(times), events(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (events < 0) {
      throw Error(ErrorCode::unreadable,
                  format("folders cannot be watched: {}", std::strerror(errno)));
    }
  }
  ~State() { close(events); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void touch(const std::string& path, bool open) {
    const auto now = WatchClock::now();
    const auto [place, is_new] = changing.try_emplace(path, Changing{.first = now, .last = now});
    place->second.last = now;
    place->second.open = open;
  }

  // False where there is no such folder (any more).
  bool watch(const std::string& folder) {
    const int id = inotify_add_watch(events, folder.c_str(), kWatched);
    if (id >= 0) {
      path_of[id] = folder;
      return true;
    }
    if (errno == ENOENT || errno == ENOTDIR) return false;
    const bool is_full = errno == ENOSPC;
    throw Error(ErrorCode::unreadable,
                format("{} cannot be watched: {}", folder,
                       is_full ? std::string("there are more folders than the system allows to be "
                                             "watched; raise fs.inotify.max_user_watches by sysctl")
                               : std::strerror(errno)));
  }

  // The folder and those below it. Each is watched before it is listed, so that nothing comes in
  // between unseen.
  bool watch_tree(const std::string& folder) {
    struct stat status{};
    if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || !watch(folder)) {
      return false;
    }
    if (!open_folders.emplace(status.st_dev, status.st_ino).second) return true;  // a loop of links
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

  void look_for_missing() {
    for (const std::string& root : std::set<std::string>(missing)) {
      if (!watch_tree(root)) continue;
      missing.erase(root);
      touch(root, false);
    }
  }

  void take(const inotify_event& event) {
    if (event.mask & IN_Q_OVERFLOW) {
      log::step("changes came faster than they were looked at: all folders are looked at again");
      lost = true;
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

  // Of other folders the one above tells.
  void lose_root(const std::string& folder) {
    if (std::ranges::find(roots, folder) == roots.end()) return;
    log::warn("{}: is gone; it is watched again once it is back", folder);
    forget_tree(folder);
    missing.insert(folder);
  }

  void take_entry(const std::string& path, std::uint32_t mask) {
    if (mask & IN_ISDIR) {
      if (mask & (IN_MOVED_FROM | IN_DELETE)) forget_tree(path);
      if (mask & (IN_CREATE | IN_MOVED_TO)) watch_tree(path);
    }
    const bool is_written = (mask & (IN_CREATE | IN_MODIFY)) != 0 && (mask & IN_ISDIR) == 0;
    touch(path, is_written);
  }

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

  // What rests, once all does, or some of it has waited long.
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
  std::map<int, std::string> path_of;              // by watch
  std::set<std::string> missing;                   // roots that are not there
  std::set<std::pair<dev_t, ino_t>> open_folders;  // from a root down to the one being listed
  std::map<std::string, Changing> changing;
  bool lost = false;
};

FolderWatch::FolderWatch(const std::vector<std::string>& folders, const Rest& rest)
    : state_(std::make_unique<State>(folders, rest)) {
  state_->watch_roots();
  if (!state_->missing.empty()) {
    throw Error(ErrorCode::unreadable, format("{}: is no folder", *state_->missing.begin()));
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
    // Events of a large copy are read a few at a time, not one by one.
    if (poll(&ready, 1, static_cast<int>(std::min(left, kTick).count())) > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  return std::nullopt;
}

}  // namespace fineprint::documents
