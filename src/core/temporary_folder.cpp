// Makes and removes temporary folders.
#include "fineprint/core/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint {

TemporaryFolder::TemporaryFolder(std::string_view use, std::string_view contents) {
  std::error_code unknown;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(unknown);
  path_ = (parent / format("fineprint-{}-XXXXXX", use)).string();
  if (unknown || mkdtemp(path_.data()) == nullptr) {
    throw Error(ErrorCode::unreadable,
                format("cannot create a temporary folder for {} ({}): {}; set TMPDIR to a folder "
                       "with write access",
                       contents, path_, unknown ? unknown.message() : std::strerror(errno)));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fineprint
