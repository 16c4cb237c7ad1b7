// SQLite as C++ values that clean up after themselves: database, query, transaction.
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

// One use of a prepared statement. Bound texts and blobs must live until the next step(). The
// values of a row are valid until the next step().
class Query {
 public:
  Query(Database& database, sqlite3_stmt* statement);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Each call binds the next parameter. All throw Error(store) if SQLite refuses.
  Query& bind(std::int64_t value);
  Query& bind(double value);
  Query& bind(std::string_view text);
  Query& bind_blob(std::string_view bytes);

  // Moves to the next row. Returns false if there is none.
  bool step();
  // Runs a statement that returns no rows, and makes it ready to be bound again.
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

// `immutable` promises SQLite that nobody changes the file.
enum class OpenAs { writer, reader, immutable };

// A connection. Not safe from several threads: its owner must lock. Its SQL has the function
// row_sum(a, b, ...), which returns a checksum over values and their kinds.
class Database {
 public:
  Database(const std::string& path, OpenAs mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Prepares `sql` once and keeps it. Two queries of the same text must not be in use together.
  Query query(std::string_view sql);
  // Runs statements that need no parameters.
  void execute(const std::string& sql);
  // Returns the first column of the first row, or 0 if there is no row.
  std::int64_t integer(std::string_view sql);
  // Returns the id of the row inserted last.
  std::int64_t last_id() const;
  const std::string& path() const { return path_; }

  // Throws Error(store) with the reason that SQLite gives.
  [[noreturn]] void fail() const;
  // Returns true if the last call failed because files next to the catalogue cannot be written.
  bool failed_for_want_of_write_access() const;

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
};

// Takes the write lock at once. The destructor rolls back unless commit() was called.
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
