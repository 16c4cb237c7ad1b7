// System calls on files, repeated after interruptions, with failures thrown as errors.
#include "core/file_descriptor.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/given_files.h"

namespace fineprint {

FileDescriptor::~FileDescriptor() {
  if (value_ >= 0) ::close(value_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : value_(std::exchange(other.value_, -1)) {}

void throw_file_error(std::string_view action, const std::string& path) {
  // Read errno first, because building the message may change it.
  const int reason = errno;
  throw Error(ErrorCode::unreadable, "cannot " + std::string(action) + " " + path + ": " +
                                         std::generic_category().message(reason));
}

FileDescriptor open_file(const std::string& path, int flags) {
  int fd = -1;
  // A signal may interrupt the call before it has done anything (EINTR). Then it is repeated.
  do {
    // O_CLOEXEC keeps the file out of the document workers that this process starts.
    fd = flags == O_RDONLY ? open_to_read(path) : ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw_file_error((flags & O_CREAT) != 0 ? "create" : "open", path);
  return FileDescriptor(fd);
}

std::size_t read_some(const FileDescriptor& file, const std::string& path, char* out,
                      std::size_t size) {
  ssize_t got = -1;
  do {
    got = ::read(file.value(), out, size);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw_file_error("read", path);
  return static_cast<std::size_t>(got);
}

void write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    // write(2) may write only a part, for example if the disk is almost full; the rest follows.
    const ssize_t put = ::write(file.value(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_file_error("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void sync_file(const FileDescriptor& file, const std::string& path) {
  // Pipes and some special files cannot be synced and need not be.
  if (::fsync(file.value()) != 0 && errno != EINVAL && errno != EROFS) {
    throw_file_error("sync", path);
  }
}

void sync_parent(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  sync_file(open_file(folder, O_RDONLY | O_DIRECTORY), folder);
}

}  // namespace fineprint
