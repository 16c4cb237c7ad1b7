// Reads, maps and replaces files, and finds the user's folders.
#include "fineprint/core/files.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"

#include "core/file_descriptor.h"

namespace fineprint {
namespace {

// The step in which the buffer of read_file grows.
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

std::size_t size_of(const FileDescriptor& file, const std::string& path) {
  struct stat status{};
  if (::fstat(file.value(), &status) != 0) throw_file_error("read", path);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::unreadable, "cannot read " + path + ": it is a directory");
  }
  return static_cast<std::size_t>(status.st_size);
}

// Creates a temporary file in the folder of `path` and stores its name in `name`. The same folder,
// because rename does not work across file systems. The name must be new: a killed process with the
// same id may have left a file (in containers process ids repeat), hence the counter and the loop.
FileDescriptor open_temporary(const std::string& path, std::string* name) {
  static std::atomic<unsigned> counter{0};
  for (;;) {
    *name = path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    try {
      return open_file(*name, O_WRONLY | O_CREAT | O_EXCL);
    } catch (const Error&) {
      // If the name does not exist, the failure has another cause: a missing folder, no permission.
      struct stat there{};
      if (::lstat(name->c_str(), &there) != 0) throw;
    }
  }
}

std::string home() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return home;
  const passwd* user = ::getpwuid(::getuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "/";
}

// The XDG specification requires relative paths to be ignored.
std::string xdg_folder(const char* variable, const std::string& below_home) {
  const char* value = std::getenv(variable);
  const bool usable = value != nullptr && *value == '/';
  const std::filesystem::path base =
      usable ? std::filesystem::path(value) : std::filesystem::path(home()) / below_home;
  return (base / "fineprint").string();
}

}  // namespace

std::string read_file(const std::string& path) {
  const FileDescriptor file = open_file(path, O_RDONLY);
  std::string bytes(size_of(file, path), '\0');
  std::size_t filled = 0;
  // The size is only a hint: for pipes it is 0, and for growing files it is too small.
  for (;;) {
    if (filled == bytes.size()) bytes.resize(filled + kBlockBytes);
    const std::size_t got = read_some(file, path, bytes.data() + filled, bytes.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

std::string file_head(const std::string& path, std::size_t most) {
  std::string head(most, '\0');
  std::size_t filled = 0;
  try {
    const FileDescriptor file = open_file(path, O_RDONLY);
    for (std::size_t got = 1; got > 0 && filled < most; filled += got) {
      got = read_some(file, path, head.data() + filled, most - filled);
    }
  } catch (const Error&) {
    filled = 0;
  }
  head.resize(filled);
  return head;
}

MappedFile::MappedFile(const std::string& path) {
  const FileDescriptor file = open_file(path, O_RDONLY);
  size_ = size_of(file, path);
  // mmap refuses a length of 0.
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.value(), 0);
  if (address == MAP_FAILED) throw_file_error("map", path);
  data_ = static_cast<const std::uint8_t*>(address);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

// Swapping leaves this object's old map to `other`, whose destructor unmaps it.
MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void write_file_atomic(const std::string& path, std::string_view bytes) {
  write_file_atomic(path, std::span<const std::string_view>(&bytes, 1));
}

void write_file_atomic(const std::string& path, std::span<const std::string_view> pieces) {
  std::string temporary;
  const FileDescriptor file = open_temporary(path, &temporary);
  try {
    for (const std::string_view piece : pieces) write_all(file, temporary, piece);
    sync_file(file, temporary);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw_file_error("replace", path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  sync_parent(path);
}

void make_folders(const std::string& path) {
  // The missing folders are noted first, because their parents must be synced after they exist.
  std::error_code reason;
  std::vector<std::filesystem::path> missing;
  for (std::filesystem::path at = path; !at.empty() && !std::filesystem::exists(at, reason);
       at = at.parent_path()) {
    missing.push_back(at);
  }
  std::filesystem::create_directories(path, reason);
  // create_directories reports an error for some existing paths, for example links to folders; so
  // what counts is whether the folder is there.
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) {
    if (!reason) reason = unknown;
    throw Error(ErrorCode::unreadable,
                "cannot create the folder " + path + ": " + reason.message());
  }
  for (const auto& folder : missing) sync_parent(folder.string());
}

std::string user_cache_dir() { return xdg_folder("XDG_CACHE_HOME", ".cache"); }

std::string user_config_dir() { return xdg_folder("XDG_CONFIG_HOME", ".config"); }

}  // namespace fineprint
