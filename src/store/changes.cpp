// Asks SQLite whether other connections have committed.
#include "fineprint/store/changes.h"

#include <sys/stat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/schema.h"
#include "store/sqlite.h"

namespace fineprint::store {
namespace {

constexpr std::string_view kDataVersion = "PRAGMA data_version";

// A store that was removed and made again has a new catalogue file, whose data_version the old
// connection would never see. The inode shows the difference.
std::uint64_t inode_of(const std::string& dir) {
  struct stat status{};
  if (::stat((dir + "/catalog.sqlite").c_str(), &status) == 0) return status.st_ino;
  throw Error(ErrorCode::store,
              fineprint::format(
                  "{} holds no store; make one with: fineprint index FOLDER --store {}", dir, dir));
}

}  // namespace

Changes::Changes(const std::string& dir) : dir_(dir) { open(); }

Changes::~Changes() = default;

void Changes::open() {
  file_ = inode_of(dir_);
  database_ = open_for_reading(dir_ + "/catalog.sqlite");
  version_ = database_->integer(kDataVersion);
}

bool Changes::seen() {
  // A new file starts a new count, so the versions of the two cannot be compared.
  if (inode_of(dir_) != file_) {
    open();
    return true;
  }
  const std::int64_t version = database_->integer(kDataVersion);
  const bool changed = version != version_;
  version_ = version;
  return changed;
}

}  // namespace fineprint::store
