// Deletes a store.
#include "fineprint/store/removal.h"

#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/store/store.h"

#include "store/writer_lock.h"

namespace fineprint::store {

void remove_store(const std::string& dir) {
  const WriterLock lock(dir);
  // The catalogue goes first: if the removal is killed, the rest is not a store any more.
  std::error_code failure;
  for (const char* file : {"catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"}) {
    std::filesystem::remove(dir + "/" + file, failure);
    if (failure) break;
  }
  if (!failure) std::filesystem::remove_all(dir, failure);
  if (failure) {
    throw Error(ErrorCode::store,
                fineprint::format("cannot remove {}: {}", dir, failure.message()));
  }
}

}  // namespace fineprint::store
