// An open file that closes itself, and system calls on it that throw instead of returning -1.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint {

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

// Throws Error(unreadable): "cannot {action} {path}: {reason of errno}".
[[noreturn]] void throw_file_error(std::string_view action, const std::string& path);

// open(2) with O_CLOEXEC; files that are created get mode 0666 less the umask.
FileDescriptor open_file(const std::string& path, int flags);

// Up to `size` bytes; 0 at the end of the file.
std::size_t read_some(const FileDescriptor& file, const std::string& path, char* out,
                      std::size_t size);

void write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes);
void sync_file(const FileDescriptor& file, const std::string& path);

// Makes a name that was created or renamed in the folder of `path` survive a power cut.
void sync_parent(const std::string& path);

}  // namespace fineprint
