// Folders that last as long as an object.
#pragma once

#include <string>
#include <string_view>

namespace fineprint {

// A new, empty folder in the system's folder for temporary files (TMPDIR), which nobody else may
// read. It is removed with the object, with everything in it.
class TemporaryFolder {
 public:
  // `use` is a word for its name, and `contents` says in messages what it is for, for example "the
  // workbook". Throws Error(unreadable) if it cannot be created.
  TemporaryFolder(std::string_view use, std::string_view contents);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace fineprint
