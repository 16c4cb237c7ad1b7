// Keeps the files that another process has opened for this one.
#include "fineprint/core/given_files.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace fineprint {
namespace {

std::vector<GivenFile>& given() {
  static std::vector<GivenFile> files;
  return files;
}

}  // namespace

void set_given_files(std::vector<GivenFile> files) {
  std::swap(given(), files);
  for (const GivenFile& file : files) ::close(file.descriptor);
}

void add_given_file(GivenFile file) {
  const auto before = std::ranges::find(given(), file.path, &GivenFile::path);
  if (before == given().end()) return given().push_back(std::move(file));
  ::close(std::exchange(before->descriptor, file.descriptor));
}

int given_descriptor(const std::string& path) {
  const auto file = std::ranges::find(given(), path, &GivenFile::path);
  return file == given().end() ? -1 : file->descriptor;
}

int open_to_read(const std::string& path) {
  const int file = given_descriptor(path);
  // O_CLOEXEC keeps the file out of the document workers that this process starts.
  if (file < 0) return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // The duplicate shares its position with the given descriptor.
  const int copy = ::fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0) ::lseek(copy, 0, SEEK_SET);
  return copy;
}

}  // namespace fineprint
