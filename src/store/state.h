// The internal state of an open Store.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

#include "store/postings/postings.h"
#include "store/postings/sparse.h"
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
  std::map<std::string, std::vector<SparseRows>>
      sparse_rows;           // of sets that vectors() was asked for
  mutable std::mutex mutex;  // guards everything after the lock
};

}  // namespace fineprint::store
