// Takes and releases the writer's lock.
#include "store/writer_lock.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/store/store.h"

namespace fineprint::store {
namespace {

// Waits up to one second: if a run is killed while it starts a worker, the child holds the lock
// until it has become another program.
constexpr int kTries = 21;
constexpr std::chrono::milliseconds kBetween{50};

bool try_lock_file(int descriptor) {
  for (int attempt = 1; flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK || attempt == kTries) return false;
    std::this_thread::sleep_for(kBetween);
  }
  return true;
}

}  // namespace

InUse::InUse(const std::string& dir)
    : Error(ErrorCode::store,
            fineprint::format("another process is writing to the store {}; wait until it has ended",
                              dir)) {}

WriterLock::WriterLock(const std::string& dir) {
  const std::string path = dir + "/writer.lock";
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw Error(ErrorCode::store,
                fineprint::format("cannot write {}: {}; choose a folder that can be written with "
                                  "--store",
                                  path, std::strerror(errno)));
  }
  if (try_lock_file(descriptor_)) return;
  const int reason = errno;
  close(descriptor_);
  if (reason == EWOULDBLOCK) throw InUse(dir);
  throw Error(ErrorCode::store,
              fineprint::format("cannot lock {}: {}", path, std::strerror(reason)));
}

WriterLock::~WriterLock() { close(descriptor_); }

}  // namespace fineprint::store
