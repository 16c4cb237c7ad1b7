// Files beside the catalogue. One is written and synced before the transaction that names it, and
// deleted only after the one that forgets it: a crash between the two leaves a file too many, which
// the next compact() deletes, and never a name without its file.
#pragma once

#include <set>
#include <string>
#include <vector>

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

// Files under `folder` of the store that are not in `named` (paths relative to the store).
std::vector<std::string> unnamed_files(const std::string& dir, const std::string& folder,
                                       const std::set<std::string>& named);

}  // namespace fineprint::store
