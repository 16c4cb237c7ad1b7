// Takes and releases the writer's lock.
#include "store/writer_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::store {

WriterLock::WriterLock(const std::string& dir) {
  const std::string path = dir + "/writer.lock";
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw Error(ErrorCode::store,
                fineprint::format("{} cannot be written: {}; choose a folder that can be written "
                                  "with --store",
                                  path, std::strerror(errno)));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  close(descriptor_);
  throw Error(ErrorCode::store,
              reason == EWOULDBLOCK
                  ? fineprint::format("another process is writing to the store {}; wait until it "
                                      "has ended",
                                      dir)
                  : fineprint::format("{} cannot be locked: {}", path, std::strerror(reason)));
}

WriterLock::~WriterLock() { close(descriptor_); }

}  // namespace fineprint::store
