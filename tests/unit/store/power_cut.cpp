// Stands before the system calls of the C library, notes them, and plays them back.
#include "power_cut.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fineprint::store::testing {

namespace {

namespace fs = std::filesystem;

struct Event {
  enum class Kind { create, make_folder, write, resize, sync, rename, remove } kind;
  std::string path;       // relative to the root
  std::string other;      // the new name
  std::string bytes;      // written
  std::size_t place = 0;  // of the bytes; or the new size
};

std::mutex mutex;
std::string root;
std::vector<Event> events;
std::atomic<bool> syncing = true;

// Relative to the root; empty when nothing is to be noted. What SQLite maps needs not survive.
std::string noted(const std::string& path) {
  if (root.empty() || !path.starts_with(root + "/") || path.ends_with("-shm")) return {};
  return path.substr(root.size() + 1);
}

std::string noted(int fd) {
  if (root.empty()) return {};
  char target[4096];
  const auto size =
      ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target, sizeof target);
  const std::string path(target, size < 0 ? 0 : static_cast<std::size_t>(size));
  return path == root ? "." : noted(path);
}

void note(Event event) {
  const std::lock_guard guard(mutex);
  if (!event.path.empty()) events.push_back(std::move(event));
}

// A file or a folder, as it is and as it is on the disk.
struct Node {
  std::string bytes, durable_bytes;
  std::map<std::string, std::shared_ptr<Node>> names, durable_names;
  bool folder = false;
};

class Disk {
 public:
  void play(const Event& event) {
    using Kind = Event::Kind;
    switch (event.kind) {
      case Kind::create:
      case Kind::make_folder:
        name(event.path, std::make_shared<Node>());
        find(event.path)->folder = event.kind == Kind::make_folder;
        return;
      case Kind::write: {
        std::string& bytes = find(event.path)->bytes;
        bytes.resize(std::max(bytes.size(), event.place + event.bytes.size()));
        bytes.replace(event.place, event.bytes.size(), event.bytes);
        return;
      }
      case Kind::resize:
        find(event.path)->bytes.resize(event.place);
        return;
      case Kind::sync: {
        Node& node = *find(event.path);
        node.durable_bytes = node.bytes;
        node.durable_names = node.names;
        return;
      }
      case Kind::rename:
        name(event.other, find(event.path));
        [[fallthrough]];
      case Kind::remove:
        parent(event.path)->names.erase(fs::path(event.path).filename().string());
        return;
    }
  }

  void write_to(const std::string& target, Lost lost) const { write_node(*top_, target, lost); }

 private:
  std::shared_ptr<Node> find(const std::string& path) const {
    std::shared_ptr<Node> node = top_;
    if (path == ".") return node;
    for (const auto& part : fs::path(path)) node = node->names.at(part.string());
    return node;
  }
  std::shared_ptr<Node> parent(const std::string& path) const {
    const std::string above = fs::path(path).parent_path().string();
    return find(above.empty() ? "." : above);
  }
  void name(const std::string& path, std::shared_ptr<Node> node) {
    parent(path)->names[fs::path(path).filename().string()] = std::move(node);
  }

  static void write_node(const Node& node, const std::string& target, Lost lost) {
    if (!node.folder) {
      std::ofstream(target, std::ios::binary) << node.durable_bytes;
      return;
    }
    fs::create_directories(target);
    for (const auto& [name, below] : lost == Lost::contents ? node.names : node.durable_names) {
      write_node(*below, target + "/" + name, lost);
    }
  }

  std::shared_ptr<Node> top_ = [] {
    auto node = std::make_shared<Node>();
    node->folder = true;
    return node;
  }();
};

}  // namespace

NoSyncs::NoSyncs() { syncing = false; }
NoSyncs::~NoSyncs() { syncing = true; }

void begin_recording(const std::string& folder) {
  const std::lock_guard guard(mutex);
  events.clear();
  root = folder;
}

void end_recording() {
  const std::lock_guard guard(mutex);
  root.clear();
}

std::size_t recorded() {
  const std::lock_guard guard(mutex);
  return events.size();
}

bool makes_a_difference(std::size_t count, Lost lost) {
  if (count == 0) return true;
  const auto kind = events[count - 1].kind;
  const bool of_content = kind == Event::Kind::write || kind == Event::Kind::resize;
  return kind == Event::Kind::sync || (lost == Lost::contents && !of_content);
}

void make_left_over(std::size_t count, Lost lost, const std::string& target) {
  Disk disk;
  for (std::size_t i = 0; i < count; ++i) disk.play(events[i]);
  disk.write_to(target, lost);
}

namespace {

using Kind = Event::Kind;

int open_and_note(const char* path, int flags, mode_t mode) {
  const bool is_new = (flags & O_CREAT) != 0 && ::access(path, F_OK) != 0;
  const auto fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (fd < 0) return fd;
  if (is_new) note({Kind::create, noted(path), {}, {}, 0});
  if (!is_new && (flags & O_TRUNC) != 0) note({Kind::resize, noted(path), {}, {}, 0});
  return fd;
}

ssize_t note_written(int fd, const void* data, ssize_t put, off_t place) {
  if (put > 0) {
    note({Kind::write,
          noted(fd),
          {},
          std::string(static_cast<const char*>(data), static_cast<std::size_t>(put)),
          static_cast<std::size_t>(place)});
  }
  return put;
}

int note_if_done(long result, Event event) {
  if (result == 0) note(std::move(event));
  return static_cast<int>(result);
}

mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

}  // namespace fineprint::store::testing

// The names of the C library, which this program's own definitions take the place of. 64-bit ARM
// has only those calls of the kernel that take a folder (openat, unlinkat).
extern "C" {

namespace power = fineprint::store::testing;

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = power::mode_of(flags, rest);
  va_end(rest);
  return power::open_and_note(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = power::mode_of(flags, rest);
  va_end(rest);
  return power::open_and_note(path, flags, mode);
}

ssize_t write(int fd, const void* data, size_t size) {
  const ssize_t put = ::syscall(SYS_write, fd, data, size);
  return power::note_written(fd, data, put, put > 0 ? ::lseek(fd, 0, SEEK_CUR) - put : 0);
}

ssize_t pwrite64(int fd, const void* data, size_t size, off_t place) {
  return power::note_written(fd, data, ::syscall(SYS_pwrite64, fd, data, size, place), place);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t place) {
  return pwrite64(fd, data, size, place);
}

int ftruncate64(int fd, off_t size) noexcept {
  return power::note_if_done(
      ::syscall(SYS_ftruncate, fd, size),
      {power::Kind::resize, power::noted(fd), {}, {}, static_cast<std::size_t>(size)});
}

int ftruncate(int fd, off_t size) noexcept { return ftruncate64(fd, size); }

int fsync(int fd) {
  return power::note_if_done(power::syncing ? ::syscall(SYS_fsync, fd) : 0,
                             {power::Kind::sync, power::noted(fd), {}, {}, 0});
}

int fdatasync(int fd) { return fsync(fd); }

int rename(const char* from, const char* to) noexcept {
  return power::note_if_done(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0),
                             {power::Kind::rename, power::noted(from), power::noted(to), {}, 0});
}

int unlink(const char* path) noexcept {
  return power::note_if_done(::syscall(SYS_unlinkat, AT_FDCWD, path, 0),
                             {power::Kind::remove, power::noted(path), {}, {}, 0});
}

int remove(const char* path) noexcept {
  const int done = unlink(path);
  return done != 0 && errno == EISDIR
             ? static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR))
             : done;
}

int mkdir(const char* path, mode_t mode) noexcept {
  return power::note_if_done(::syscall(SYS_mkdirat, AT_FDCWD, path, mode),
                             {power::Kind::make_folder, power::noted(path), {}, {}, 0});
}
}
