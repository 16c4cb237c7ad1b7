// The only source that calls SQLite.
#include "store/sqlite.h"

#include <bit>
#include <new>
#include <system_error>

#include <sqlite3.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"

#include "store/bytes.h"

namespace fineprint::store {

namespace {

// Covers the moments in which another connection opens, closes or folds in the log. It never waits
// for another writer, because there is only one (writer_lock.h).
constexpr int kBusyTimeoutMs = 10'000;

// Escapes a path for a file: URI, in which '?', '#' and '%' have a meaning.
std::string uri(const std::string& path, const char* parameters) {
  std::string out = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      out += fineprint::format("%{:02x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + parameters;
}

// Returns, for example, ", No space left on device". SQLite itself reports only an I/O error.
std::string system_reason(sqlite3* handle) {
  const int kind = sqlite3_errcode(handle) & 0xff;
  const int reason = sqlite3_system_errno(handle);
  if (reason == 0 || (kind != SQLITE_IOERR && kind != SQLITE_FULL)) return {};
  return ", " + std::generic_category().message(reason);
}

// Returns what to do about the error, or an empty text if SQLite's own message has to do.
std::string remedy(int code) {
  switch (code & 0xff) {
    case SQLITE_IOERR:
      return "; check the disk and run the command again";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "; it is damaged: index the documents again into a new folder";
    case SQLITE_FULL:
      return "; free some disk space and run the command again";
    case SQLITE_BUSY:
      return "; another program has locked it: try again when that program has ended";
    default:
      return "";
  }
}

// Appends kind and bytes, so that two different rows never give the same bytes.
void append_value(sqlite3_value* value, ByteWriter* out) {
  const int kind = sqlite3_value_type(value);
  out->u8(static_cast<std::uint8_t>(kind));
  if (kind == SQLITE_INTEGER) {
    out->u64(static_cast<std::uint64_t>(sqlite3_value_int64(value)));
  } else if (kind == SQLITE_FLOAT) {
    out->u64(std::bit_cast<std::uint64_t>(sqlite3_value_double(value)));
  } else if (kind != SQLITE_NULL) {
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    out->text(bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
  }
}

// The SQL function row_sum(...). Catches exceptions, because none may pass through SQLite's C code.
void row_sum(sqlite3_context* context, int count, sqlite3_value** values) {
  try {
    ByteWriter row;
    for (int i = 0; i < count; ++i) append_value(values[i], &row);
    sqlite3_result_int64(context, static_cast<std::int64_t>(checksum(row.bytes())));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

}  // namespace

Query::Query(Database& database, sqlite3_stmt* statement)
    : database_(database), statement_(statement) {}

// Resets the statement, because Database keeps it for the next query of the same text.
Query::~Query() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Query& Query::bind(std::int64_t value) {
  if (sqlite3_bind_int64(statement_, next_parameter_++, value) != SQLITE_OK) database_.fail();
  return *this;
}

Query& Query::bind(double value) {
  if (sqlite3_bind_double(statement_, next_parameter_++, value) != SQLITE_OK) database_.fail();
  return *this;
}

Query& Query::bind(std::string_view text) {
  // A null pointer would bind NULL instead of an empty text.
  const char* data = text.empty() ? "" : text.data();
  if (sqlite3_bind_text64(statement_, next_parameter_++, data, text.size(), SQLITE_STATIC,
                          SQLITE_UTF8) != SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

Query& Query::bind_blob(std::string_view bytes) {
  const char* data = bytes.empty() ? "" : bytes.data();
  if (sqlite3_bind_blob64(statement_, next_parameter_++, data, bytes.size(), SQLITE_STATIC) !=
      SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

bool Query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

void Query::run() {
  step();
  sqlite3_reset(statement_);
  next_parameter_ = 1;
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Query::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Query::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return data == nullptr ? std::string() : std::string(data, static_cast<std::size_t>(size));
}

std::span<const std::uint8_t> Query::blob(int column) const {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return {data, data == nullptr ? 0 : static_cast<std::size_t>(size)};
}

Database::Database(const std::string& path, OpenAs mode) : path_(path) {
  // NOMUTEX, because every user of a Database locks already.
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  flags |=
      mode == OpenAs::writer ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const std::string name = uri(path, mode == OpenAs::immutable ? "?immutable=1" : "");
  if (sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const Error error(ErrorCode::store,
                      fineprint::format("{}: {}", path_, sqlite3_errmsg(handle_)));
    sqlite3_close(handle_);
    throw error;
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, kBusyTimeoutMs);
  constexpr int kAnyNumber = -1;
  sqlite3_create_function_v2(handle_, "row_sum", kAnyNumber, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                             nullptr, row_sum, nullptr, nullptr, nullptr);
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

// Keeps prepared statements: parsing SQL for every row would take longer than running it.
Query Database::query(std::string_view sql) {
  auto found = statements_.find(std::string(sql));
  if (found == statements_.end()) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
      fail();
    }
    found = statements_.emplace(std::string(sql), statement).first;
  }
  return Query(*this, found->second);
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::integer(std::string_view sql) {
  Query row = query(sql);
  return row.step() ? row.integer(0) : 0;
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }

void Database::fail() const {
  const int code = sqlite3_extended_errcode(handle_);
  throw Error(ErrorCode::store,
              fineprint::format("{}: {} (SQLite code {}{}){}", path_, sqlite3_errmsg(handle_), code,
                                system_reason(handle_), remedy(code)));
}

// A read-only folder shows as one of these codes when SQLite tries to make its shared-memory file.
bool Database::failed_for_want_of_write_access() const {
  const int code = sqlite3_errcode(handle_) & 0xff;
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

// IMMEDIATE takes the write lock now. A lock taken later, by the first write, could fail halfway.
Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const Error& error) {
    // SQLite has already rolled back on its own, as it does if the disk is full.
    log::debug("{}", error.what());
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace fineprint::store
