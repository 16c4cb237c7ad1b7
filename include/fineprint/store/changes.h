// Telling that a store has changed, for those who keep it open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace fineprint::store {

class Database;

// Looks at one store again and again. Not safe from several threads.
class Changes {
 public:
  // Throws Error(store) as opening the store for reading does.
  explicit Changes(const std::string& dir);
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  // Whether anybody has committed to the store since the last call, or since this was made; or
  // another store has taken its place. Costs some microseconds. Throws Error(store) when it is
  // gone.
  bool seen();

 private:
  void open();

  const std::string dir_;
  std::unique_ptr<Database> database_;
  std::uint64_t file_ = 0;    // which file the catalogue is
  std::int64_t version_ = 0;  // SQLite's count of commits by other connections
};

}  // namespace fineprint::store
