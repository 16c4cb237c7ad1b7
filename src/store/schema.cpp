// Creates, upgrades and checks the catalogue.
#include "store/schema.h"

#include <filesystem>
#include <random>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::store {

namespace {

constexpr std::int64_t kApplicationId = 0x46507274;  // "FPrt"

// Tables that are read by document begin their key with it, so that a document's rows lie
// together; postings and lengths are read by field and begin with that. Document and segment ids
// are never used twice. The text of an element is that of its lines and is not stored again.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE documents(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  doc TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  hash TEXT NOT NULL,
  settings TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  page_count INTEGER NOT NULL,
  ocr_pages INTEGER NOT NULL,
  reflowable INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  format TEXT NOT NULL,
  metadata_title TEXT NOT NULL
) STRICT;

CREATE TABLE pages(
  document INTEGER NOT NULL REFERENCES documents(id),
  number INTEGER NOT NULL,
  label TEXT NOT NULL,
  width_pt REAL NOT NULL,
  height_pt REAL NOT NULL,
  rotation INTEGER NOT NULL,
  source INTEGER NOT NULL,
  problem TEXT NOT NULL,
  words BLOB NOT NULL,
  PRIMARY KEY(document, number)
) STRICT;

CREATE TABLE elements(
  document INTEGER NOT NULL REFERENCES documents(id),
  page INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL, y1 REAL NOT NULL,
  first_line INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  level INTEGER NOT NULL,
  caption TEXT NOT NULL,
  PRIMARY KEY(document, page, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks(
  document INTEGER NOT NULL REFERENCES documents(id),
  ordinal INTEGER NOT NULL,
  page INTEGER NOT NULL,
  first_word INTEGER NOT NULL,
  word_count INTEGER NOT NULL,
  x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL, y1 REAL NOT NULL,
  context TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(document, ordinal)
) STRICT;
-- The pages of all chunks are read by every search; the index spares it their texts.
CREATE INDEX chunk_pages ON chunks(document, ordinal, page);

CREATE TABLE outline(
  document INTEGER NOT NULL REFERENCES documents(id),
  ordinal INTEGER NOT NULL,
  level INTEGER NOT NULL,
  title TEXT NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY(document, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE fields(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE postings(
  field INTEGER NOT NULL,
  term TEXT NOT NULL,
  document INTEGER NOT NULL,
  units BLOB NOT NULL,
  PRIMARY KEY(field, term, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE lengths(
  field INTEGER NOT NULL,
  document INTEGER NOT NULL,
  units BLOB NOT NULL,
  PRIMARY KEY(field, document)
) STRICT, WITHOUT ROWID;

-- Which postings a document has: what is needed to remove them without an index over all.
CREATE TABLE document_terms(
  document INTEGER NOT NULL REFERENCES documents(id),
  field INTEGER NOT NULL REFERENCES fields(id),
  terms BLOB NOT NULL,
  PRIMARY KEY(document, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE models(
  scorer TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  dim INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scorer TEXT NOT NULL,
  file TEXT NOT NULL UNIQUE,
  checksum INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  dim INTEGER NOT NULL
) STRICT;

CREATE TABLE vectors(
  document INTEGER NOT NULL REFERENCES documents(id),
  scorer TEXT NOT NULL,
  segment INTEGER NOT NULL REFERENCES segments(id),
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  PRIMARY KEY(document, scorer)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_of_segment ON vectors(segment);
)sql";

// Entry i brings a catalogue from version i to version i + 1.
constexpr const char* kMigrations[] = {kVersion1};

// Commits reach the disk before they return; the log is folded in at about 32 MB.
constexpr const char* kWriterSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
    "PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 8192;"
    "PRAGMA journal_size_limit = 67108864;";

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
  for (int v = version; v < schema_version(); ++v) database.execute(kMigrations[v]);
  if (version == 0) {
    const std::string id = new_store_id();
    database.query("INSERT INTO meta(key, value) VALUES('id', ?)").bind(std::string_view(id)).run();
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

int schema_version() { return static_cast<int>(std::size(kMigrations)); }

std::unique_ptr<Database> open_for_writing(const std::string& path) {
  auto database = std::make_unique<Database>(path, OpenAs::writer);
  checked_version(*database);  // before the settings below change a stranger's file
  database->execute(kWriterSettings);
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
  database->execute("PRAGMA cache_size = -65536; PRAGMA query_only = ON");
  return database;
}

}  // namespace fineprint::store
