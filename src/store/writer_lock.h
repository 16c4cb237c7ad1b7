// The lock that lets one process write to a store at a time.
#pragma once

#include <string>

namespace fineprint::store {

// Held while the object lives. The operating system releases it if the process dies.
class WriterLock {
 public:
  // Throws InUse if another process holds the lock, and Error(store) if it cannot be taken at all.
  explicit WriterLock(const std::string& dir);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace fineprint::store
