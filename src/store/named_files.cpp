// Finds and deletes files that the catalogue does not name.
#include "store/named_files.h"

#include <filesystem>

#include "fineprint/core/log.h"

namespace fineprint::store {

FileUntilCommit::~FileUntilCommit() {
  if (!path_.empty()) delete_file(path_);
}

void delete_file(const std::string& path) {
  std::error_code reason;
  if (!std::filesystem::remove(path, reason) && reason) {
    log::warn("{} is no longer needed but cannot be deleted: {}", path, reason.message());
  }
}

std::vector<std::string> unnamed_files(const std::string& dir, const std::string& folder,
                                       const std::set<std::string>& named) {
  std::vector<std::string> out;
  std::error_code missing;
  for (std::filesystem::recursive_directory_iterator at(dir + "/" + folder, missing), end;
       at != end; at.increment(missing)) {
    const std::string path = at->path().string();
    if (at->is_regular_file() && !named.contains(path.substr(dir.size() + 1))) out.push_back(path);
  }
  return out;
}

}  // namespace fineprint::store
