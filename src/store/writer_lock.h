// The lock that lets one process write to a store at a time.
#pragma once

#include <string>

namespace fineprint::store {

// Held while the object lives, and let go by the system when the process dies.
class WriterLock {
 public:
  // Throws InUse when another process holds it, Error(store) when there can be no lock.
  explicit WriterLock(const std::string& dir);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace fineprint::store
