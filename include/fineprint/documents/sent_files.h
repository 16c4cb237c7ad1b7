// Open files on their way from the program to a worker, over the socket between them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace fineprint::documents {

// A message carries at most this many files.
inline constexpr std::size_t kMostSentFiles = 4;

// Files that are open for reading, and closed with this object.
class OpenFiles {
 public:
  OpenFiles() = default;
  ~OpenFiles();
  OpenFiles(const OpenFiles&) = delete;
  OpenFiles& operator=(const OpenFiles&) = delete;

  // Opens a file. Returns false if that is not possible, or if it is not a regular file.
  bool add(const std::string& path);
  std::size_t count() const { return descriptors_.size(); }
  // Sends the files with the beginning of `bytes`. Returns how many bytes were sent, or -1 if the
  // other end is gone.
  ssize_t send_with(int socket, std::string_view bytes) const;

 private:
  std::vector<int> descriptors_;
};

// Receives bytes into `out`, and appends descriptors of the files that come with them. Returns the
// number of bytes, 0 at the end, or -1 with the reason in errno.
ssize_t receive_with_files(int socket, std::span<char> out, std::vector<int>* files);

}  // namespace fineprint::documents
