// Detects that another connection changed a store that this process keeps open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace fineprint::store {

class Database;

// Polls one store for changes: for example, a server checks before each question whether it must
// open the store again. Not safe from several threads.
class Changes {
 public:
  // Throws Error(store) if the store in `dir` cannot be opened for reading.
  explicit Changes(const std::string& dir);
  ~Changes();
  // Not copyable, because it owns a connection to the catalogue.
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  // Returns true if another connection has committed to the store since the last call (or since
  // construction), or if another store has replaced it in `dir`. Costs some microseconds. Throws
  // Error(store) if the store is gone.
  bool seen();

 private:
  void open();

  const std::string dir_;
  std::unique_ptr<Database> database_;
  std::uint64_t file_ = 0;    // inode of the catalogue, which shows that the store was replaced
  std::int64_t version_ = 0;  // SQLite's data_version: counts commits of other connections
};

}  // namespace fineprint::store
