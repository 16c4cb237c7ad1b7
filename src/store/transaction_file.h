// A file that the catalogue is about to name.
#pragma once

#include <string>

namespace fineprint::store {

// Deletes the file unless the transaction that names it was committed.
class FileUntilCommit {
 public:
  explicit FileUntilCommit(std::string path) : path_(std::move(path)) {}
  ~FileUntilCommit();
  FileUntilCommit(const FileUntilCommit&) = delete;
  FileUntilCommit& operator=(const FileUntilCommit&) = delete;

  void keep() { path_.clear(); }

 private:
  std::string path_;
};

// A file that cannot be deleted costs a warning.
void delete_file(const std::string& path);

}  // namespace fineprint::store
