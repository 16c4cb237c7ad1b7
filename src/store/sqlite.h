// SQLite as values that clean up after themselves: database, query, transaction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

struct sqlite3;
struct sqlite3_stmt;

namespace fineprint::store {

class Database;

// One use of a prepared statement. Bound text and blobs must live until the next `step`. The
// values of a row live until the next `step`.
class Query {
 public:
  Query(Database& database, sqlite3_stmt* statement);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Each call binds the next parameter.
  Query& bind(std::int64_t value);
  Query& bind(double value);
  Query& bind(std::string_view text);
  Query& bind_blob(std::string_view bytes);

  // True while there is a row.
  bool step();
  // Runs a statement that gives no rows and makes it ready to be bound anew.
  void run();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::span<const std::uint8_t> blob(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_;
  int next_parameter_ = 1;
};

enum class OpenAs { writer, reader, immutable };

// A connection. Not safe for several threads: its owner locks. Its SQL knows row_sum(a, b, ...): a
// checksum over the values and their kinds.
class Database {
 public:
  Database(const std::string& path, OpenAs mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // `sql` is prepared once and kept; two queries of the same text must not be open together.
  Query query(std::string_view sql);
  // Runs statements that need no parameters.
  void execute(const std::string& sql);
  std::int64_t integer(std::string_view sql);
  std::int64_t last_id() const;
  const std::string& path() const { return path_; }

  // Throws Error(store) with the reason that SQLite gives.
  [[noreturn]] void fail() const;
  // Whether the last failure says that files beside the catalogue cannot be written.
  bool failed_for_want_of_write_access() const;

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
};

// Takes the write lock at once; rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace fineprint::store
