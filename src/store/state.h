// The internal state of an open Store.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fineprint/store/store.h"

#include "store/postings/postings.h"
#include "store/sqlite.h"
#include "store/vectors/segments.h"
#include "store/writer_lock.h"

namespace fineprint::store {

struct Store::State {
  State(const std::string& folder, Mode open_mode);

  // Throws Error(internal) if the store was opened for reading.
  void require_writer() const;

  std::string dir;
  Mode mode;
  std::optional<WriterLock> lock;  // before the database: taken first, released last
  std::unique_ptr<Database> database;
  SegmentMaps maps;
  PostingsFiles postings;
  mutable std::mutex mutex;  // guards the database, the maps and the postings
};

}  // namespace fineprint::store
