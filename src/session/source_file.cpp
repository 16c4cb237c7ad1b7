// Compares documents' files with what the store records about them.
#include "fineprint/session/source_file.h"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/documents/address.h"
#include "fineprint/documents/file_state.h"

namespace fineprint::session {
namespace {

// A copy of a file elsewhere may have been cleaned away, or fetched again for another store.
void refuse_lost_copy(const std::string& path) {
  const std::string address = documents::address_of_copy(path);
  if (address.empty()) return;
  throw Error(
      ErrorCode::unreadable,
      format("{}: its copy in the cache folder is gone or has changed since it was indexed; "
             "run `fineprint index` on its address again, with --fetch",
             address));
}

}  // namespace

// Nanoseconds, so that a file that is written twice within a second has two stamps. The device is
// left out, because its number changes when a drive is mounted again.
store::FileStamp stamp_of(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) {
    throw Error(ErrorCode::unreadable, format("{} cannot be read: {}", path, std::strerror(errno)));
  }
  const documents::FileState state = documents::state_in(facts);
  const std::string identity = format("{} {}", state.inode, state.changed_ns);
  return {.size = state.size, .mtime_ns = state.modified_ns, .identity = checksum(identity)};
}

// Compares stamps first: hashing a file takes long, and most files have not changed.
void check_unchanged(const store::DocumentRow& document) {
  const std::string& path = document.path;
  bool same = false;
  try {
    same = stamp_of(path) == document.stamp || file_hash(path) == document.hash;
  } catch (const Error& error) {
    refuse_lost_copy(path);
    throw Error(error.code(),
                format("{}; bring the file back, or run `fineprint index --prune` on its folder",
                       error.what()));
  }
  if (!same) {
    refuse_lost_copy(path);
    throw Error(ErrorCode::unreadable,
                format("{} changed since it was indexed; run `fineprint index` on it again", path));
  }
}

}  // namespace fineprint::session
