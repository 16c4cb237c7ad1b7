// Creates, upgrades and checks the catalogue.
#include "store/schema.h"

#include <filesystem>
#include <random>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/migrations.h"

namespace fineprint::store {

namespace {

// In KiB, below 0 as SQLite wants them. Each page of the catalogue that is read or written stays in
// memory until there are so many, and few are asked for twice: documents come one behind the other,
// questions go anywhere, and the system keeps the file anyway.
constexpr int kWriterCache = -4096;
constexpr int kReaderCache = -8192;

// Commits reach the disk before they return; the log is folded in at about 32 MB.
constexpr const char* kWriterSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
    "PRAGMA wal_autocheckpoint = 8192; PRAGMA journal_size_limit = 67108864;";

void set_cache(Database& database, int size) {
  database.execute(fineprint::format("PRAGMA cache_size = {}", size));
}

std::string new_store_id() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fineprint::format("{:08x}", std::uint32_t{random()});
  return id;
}

// The catalogue's schema version; refuses what cannot be a catalogue of ours.
int checked_version(Database& database) {
  const std::int64_t application = database.integer("PRAGMA application_id");
  const auto version = static_cast<int>(database.integer("PRAGMA user_version"));
  const bool is_new = application == 0 && version == 0 &&
                      database.integer("SELECT COUNT(*) FROM sqlite_schema") == 0;
  if (!is_new && application != kApplicationId) {
    throw Error(ErrorCode::store, fineprint::format("{} is a database of another program; choose "
                                                    "another folder with --store",
                                                    database.path()));
  }
  if (version > schema_version()) {
    throw Error(ErrorCode::store,
                fineprint::format("{} was written by a newer fineprint (its format is {}, this "
                                  "program knows up to {}); use that one",
                                  database.path(), version, schema_version()));
  }
  return version;
}

void migrate(Database& database) {
  const int version = checked_version(database);
  if (version == schema_version()) return;
  Transaction transaction(database);
  for (int v = version; v < schema_version(); ++v) {
    const Migration& step = migrations()[static_cast<std::size_t>(v)];
    database.execute(step.sql);
    if (step.fill != nullptr) step.fill(database);
  }
  if (version == 0) {
    const std::string id = new_store_id();
    database.query("INSERT INTO meta(key, value, sum) VALUES('id', ?1, row_sum('id', ?1))")
        .bind(std::string_view(id))
        .run();
  }
  database.execute(fineprint::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                     kApplicationId, schema_version()));
  transaction.commit();
}

void require_current(Database& database) {
  const int version = checked_version(database);
  if (version < schema_version()) {
    throw Error(ErrorCode::store,
                fineprint::format("{} has the older format {}; run `fineprint index` on it once to "
                                  "bring it up to date",
                                  database.path(), version));
  }
}

bool has_unmerged_log(const std::string& path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path + "-wal", missing);
  return !missing && size > 0;
}

}  // namespace

int schema_version() { return static_cast<int>(migrations().size()); }

std::unique_ptr<Database> open_for_writing(const std::string& path) {
  auto database = std::make_unique<Database>(path, OpenAs::writer);
  checked_version(*database);  // before the settings below change a stranger's file
  database->execute(kWriterSettings);
  set_cache(*database, kWriterCache);
  migrate(*database);
  return database;
}

std::unique_ptr<Database> open_for_reading(const std::string& path) {
  auto database = std::make_unique<Database>(path, OpenAs::reader);
  try {
    require_current(*database);
  } catch (const Error&) {
    if (!database->failed_for_want_of_write_access() || has_unmerged_log(path)) throw;
    database = std::make_unique<Database>(path, OpenAs::immutable);
    require_current(*database);
  }
  set_cache(*database, kReaderCache);
  database->execute("PRAGMA query_only = ON");
  return database;
}

}  // namespace fineprint::store
