// Files next to the catalogue. A file is written and synced before the transaction that names it,
// and deleted only after the transaction that forgets it. So a crash between the two leaves a file
// too many, which the next compact() deletes, and never a name without its file.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace fineprint::store {

// Deletes the file in its destructor unless keep() was called after the commit that names the file.
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

// Warns if the file cannot be deleted, because a file too many harms nobody.
void delete_file(const std::string& path);

// Returns the files under `folder` of the store that are not in `named` (paths relative to the
// store).
std::vector<std::string> unnamed_files(const std::string& dir, const std::string& folder,
                                       const std::set<std::string>& named);

}  // namespace fineprint::store
