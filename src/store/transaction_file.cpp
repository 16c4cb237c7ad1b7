// Deletes files that the catalogue does not name.
#include "store/transaction_file.h"

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

}  // namespace fineprint::store
