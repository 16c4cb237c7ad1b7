// An open file that closes itself, and system calls that throw instead of returning -1.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint {

// Owns a file descriptor and closes it. Errors of close are ignored: writers call sync_file before.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int value() const { return value_; }

 private:
  int value_;
};

// Throws Error(unreadable) with the message "cannot {action} {path}: {reason of errno}".
[[noreturn]] void throw_file_error(std::string_view action, const std::string& path);

// Opens a file with O_CLOEXEC. Files that it creates get mode 0666 less the umask.
FileDescriptor open_file(const std::string& path, int flags);

// Reads up to `size` bytes into `out` and returns their number; 0 at the end of the file. `path` is
// used only in messages, here and below.
std::size_t read_some(const FileDescriptor& file, const std::string& path, char* out,
                      std::size_t size);

// Writes all bytes, in several system calls if necessary.
void write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes);
// Waits until the content is on disk.
void sync_file(const FileDescriptor& file, const std::string& path);

// Syncs the folder of `path`, so that a file created or renamed in it survives a power cut.
void sync_parent(const std::string& path);

}  // namespace fineprint
